import { adopted, created, type Declarations, type Pair, type Run, set } from "../pair.js";

const IN_SECOND = { inSecondProvider: true } as const;

/** A preview that finds out that X is declared twice. The first failed check or diff ends a run, so each has its own. */
function preview(
  pair: Pair["pair"],
  how: string,
  program: Declarations,
  recorded: Declarations = {},
  left: Pair["left"] = {},
): Run {
  return {
    title: "Declared twice, in a preview",
    command: "preview",
    exitCode: 1,
    pairs: [{ pair, how, recorded, program, left, says: ["Declared twice", "{first}", "{second}"] }],
  };
}

/** An up that finds out only after something was recorded. What was recorded stays, and a destroy deletes it. */
function up(
  pair: Pair["pair"],
  how: string,
  program: Declarations,
  left: Pair["left"],
  recorded: Declarations = {},
): Run {
  return {
    title: "Declared twice, in an up that fails halfway; then a plain destroy, which deletes X once",
    command: "up --yes --skip-preview",
    exitCode: 1,
    isThenDestroyed: true,
    pairs: [{ pair, how, recorded, program, left, says: ["Declared twice", "{first}", "{second}"] }],
  };
}

export const DECLARED_TWICE: readonly Run[] = [
  preview(["adopted", "adopted"], "both new", { first: adopted("X"), second: adopted("X") }),
  preview(["adopted", "set"], "both new", { first: adopted("X"), second: set(["X", "Y"]) }),
  preview(["set", "adopted"], "both new", { first: set(["X", "Y"]), second: adopted("X") }),
  preview(["set", "set"], "both new", { first: set(["X", "Y"]), second: set(["Z", "X"]) }),
  preview(["created", "created"], "both new, with the same name in the service", {
    first: created("X"),
    second: created("X"),
  }),
  preview(["adopted", "adopted"], "both new, in two providers", {
    first: adopted("X"),
    second: adopted("X", IN_SECOND),
  }),
  preview(
    ["created", "adopted"],
    "the second is added later",
    { first: created("X"), second: adopted("X") },
    { first: created("X") },
    { first: "X" },
  ),
  preview(
    ["created", "adopted"],
    "the second is added later, first in the program",
    { second: adopted("X"), first: created("X") },
    { first: created("X") },
    { first: "X" },
  ),
  preview(
    ["created", "set"],
    "the second is added later",
    { first: created("X"), second: set(["X", "Y"]) },
    { first: created("X") },
    { first: "X" },
  ),
  preview(
    ["created", "set"],
    "the second is added later, first in the program and in another provider",
    { second: set(["X"], IN_SECOND), first: created("X") },
    { first: created("X") },
    { first: "X" },
  ),
  preview(
    ["set", "adopted"],
    "the second is added later, first in the program",
    { second: adopted("X"), first: set(["X", "Y"]) },
    { first: set(["X", "Y"]) },
    { first: "X Y" },
  ),
  preview(
    ["adopted", "adopted"],
    "the second is added later, in another provider",
    { first: adopted("X"), second: adopted("X", IN_SECOND) },
    { first: adopted("X") },
    { first: "X" },
  ),
  preview(
    ["created", "adopted"],
    "both recorded, by an earlier release",
    { first: created("X"), second: adopted("X") },
    { first: created("X"), second: adopted("X") },
    { first: "X", second: "X" },
  ),
  up(
    ["created", "adopted"],
    "both new; the second takes the id from the output",
    { first: created("X"), second: adopted({ idOf: "first" }) },
    { first: "X'" },
  ),
  up(
    ["created", "set"],
    "both new; the second takes the id from the output, in another provider",
    { first: created("X"), second: set([{ idOf: "first" }], IN_SECOND) },
    { first: "X'" },
  ),
  up(
    ["adopted", "adopted"],
    "both new, with `dependsOn`",
    { first: adopted("X"), second: adopted("X", { dependsOn: ["first"] }) },
    { first: "X" },
  ),
  up(
    ["created", "adopted"],
    "the second is added later, and the first now depends on it",
    { second: adopted("X"), first: created("X", { dependsOn: ["second"] }) },
    { first: "X", second: "X" },
    { first: created("X") },
  ),
];
