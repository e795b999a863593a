import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** What is forbidden everywhere. A config for some files replaces this option, so it has to be repeated there. */
const noExportAll = { selector: "ExportAllDeclaration", message: "Name what is exported." };
const noSafeTextCast = {
  selector: ":matches(TSAsExpression, TSTypeAssertion) TSTypeReference[typeName.name='SafeText']",
  message: "Only text/ knows what is safe: use safeText, safeName or safe.",
};
const noAbortSignal = (property, instead) => ({ object: "AbortSignal", property, message: instead });

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", ".stryker-tmp/**"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      curly: ["error", "multi-line"],
      "no-restricted-syntax": ["error", noExportAll],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-definitions": ["error", "interface"],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    // The compiler checks which names a browser has.
    files: ["provider/report/formats/html/page.js"],
    languageOptions: { sourceType: "script" },
    rules: { "no-undef": "off" },
  },
  {
    files: ["provider/**/*.ts"],
    rules: {
      "max-lines": ["error", 400],
      "no-console": "error",
      "no-restricted-properties": [
        "error",
        noAbortSignal("any", "It holds its signals weakly: use withTimeLimit."),
        noAbortSignal("timeout", "It can disappear in a garbage collection: use withTimeLimit."),
      ],
    },
  },
  {
    files: ["provider/**/*.ts"],
    ignores: ["provider/text/*.ts"],
    rules: { "no-restricted-syntax": ["error", noExportAll, noSafeTextCast] },
  },
  {
    // They run as they are, in a project without TypeScript.
    files: ["template/*.js"],
    languageOptions: {
      sourceType: "commonjs",
      globals: { console: "readonly", process: "readonly" },
    },
  },
  {
    // Node's test runner waits for its tests by itself.
    files: ["examples/**/*.test.ts"],
    rules: {
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: "test" }] },
      ],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unused-expressions": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
);
