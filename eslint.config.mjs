import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Forbids imports by pattern, with the reason that the reader will see. */
const forbid = (...patterns) => ({ "no-restricted-imports": ["error", { patterns }] });
const noPulumi = {
  group: ["@pulumi/*"],
  message: "This layer stands below Pulumi: pass what it needs in the context (docs/decisions/layers.md).",
};
const noUpward = (group) => ({ group, message: "Arrows point down: resource, hooks, service." });

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", ".stryker-tmp/**"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      curly: ["error", "multi-line"],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportAllDeclaration", message: "Name what is exported." },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-definitions": ["error", "interface"],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  { files: ["provider/**/*.ts"], rules: { "max-lines": ["error", 250], "no-console": "error" } },
  {
    files: ["provider/service/**/*.ts"],
    rules: forbid(noPulumi, noUpward(["../hooks/*", "../settings*", "../v1*", "../control-plane*"])),
  },
  {
    files: ["provider/hooks/**/*.ts"],
    rules: forbid(noPulumi, noUpward(["../v1*", "../control-plane*", "../host*"])),
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unused-expressions": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
);
