import { adopted, created, get, type Run, set } from "../pair.js";

/** Pulumi asks no provider about what `--target` leaves out, so nobody knows that the program still declares it. */
export const TARGETED: Run = {
  title: "With `--target`, which hides all other resources from the provider, in an up",
  command:
    "up --yes --skip-preview --continue-on-error --target {0:first} --target {1:second} --target {2:first} --target {2:second} --target {3:second} --target {4:second} --target {5:first}",
  exitCode: 0,
  pairs: [
    {
      pair: ["adopted", "adopted"],
      how: "renamed without an alias; the target is the old name",
      recorded: { first: adopted("X") },
      program: { second: adopted("X") },
      deleted: ["X"],
      left: {},
      note: "a limit: the new name is hidden, so this is a removal",
    },
    {
      pair: ["adopted", "adopted"],
      how: "renamed without an alias; the target is the new name",
      recorded: { first: adopted("X") },
      program: { second: adopted("X") },
      left: { first: "X", second: "X" },
      note: "the next up without a target keeps X in the second",
    },
    {
      pair: ["adopted", "adopted"],
      how: "renamed without an alias; both are targets",
      recorded: { first: adopted("X") },
      program: { second: adopted("X") },
      left: { second: "X" },
      says: ["kept", "{X}", "{second}"],
    },
    {
      pair: ["created", "adopted"],
      how: "the second is added later, and is the target",
      recorded: { first: created("X") },
      program: { first: created("X"), second: adopted("X") },
      left: { first: "X", second: "X" },
      note: "a limit: the first is hidden, and the next up without a target says that X is declared twice",
    },
    {
      pair: ["created", "adopted"],
      how: "both recorded; the second is removed, and is the target",
      recorded: { first: created("X"), second: adopted("X") },
      program: { first: created("X") },
      deleted: ["X"],
      left: { first: "X" },
      note: "a limit: the first is hidden",
    },
    {
      pair: ["set", "set"],
      how: "renamed without an alias; the target is the old name",
      recorded: { first: set(["X"]) },
      program: { second: set(["X"]) },
      deleted: ["X"],
      left: {},
      note: "a limit: the new name is hidden, so this is a removal",
    },
  ],
};

/** Pulumi reads every reference, also one that `--target` does not name. */
export const TARGETED_AND_REFERRED_TO: Run = {
  title:
    "With `--target` of a resource that was removed, while the program refers to its control plane, in an up",
  command: "up --yes --skip-preview --continue-on-error --target {0:first} --target {1:first}",
  exitCode: 1,
  pairs: [
    {
      pair: ["adopted", "reference"],
      how: "both recorded; the first is removed, and is the target",
      recorded: { first: adopted("X"), second: get("X") },
      program: { second: get("X") },
      left: { first: "X", second: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
    {
      pair: ["created", "reference"],
      how: "both recorded, in two providers; the first is removed, and is the target",
      recorded: { first: created("X"), second: get("X", { inSecondProvider: true }) },
      program: { second: get("X", { inSecondProvider: true }) },
      left: { first: "X", second: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
  ],
};
