import { adopted, created, get, type Run, set } from "../pair.js";

const IN_SECOND = { inSecondProvider: true } as const;
const TAINTED = { isTainted: true } as const;

/** A replacement that creates first and deletes then. */
export const REPLACED: Run = {
  title: "Replaced, in an up",
  command: "up --yes --skip-preview --continue-on-error --replace {0:first} --replace {3:first}",
  exitCode: 0,
  pairs: [
    {
      pair: ["adopted", "itself"],
      how: "`--replace`",
      recorded: { first: adopted("X") },
      program: { first: adopted("X") },
      left: { first: "X" },
      says: ["kept", "{X}"],
    },
    {
      pair: ["adopted", "reference"],
      how: "both recorded; the first is tainted",
      recorded: { first: adopted("X", TAINTED), second: get("X") },
      program: { first: adopted("X"), second: get("X") },
      left: { first: "X", second: "X" },
      says: ["kept", "{X}"],
    },
    {
      pair: ["adopted", "itself"],
      how: "tainted, and in another provider",
      recorded: { first: adopted("X", TAINTED) },
      program: { first: adopted("X", IN_SECOND) },
      left: { first: "X" },
      says: ["kept", "{X}"],
    },
    {
      pair: ["set", "itself"],
      how: "`--replace`, and the list shrinks: Y is let go",
      recorded: { first: set(["X", "Y"]) },
      program: { first: set(["X"]) },
      left: { first: "X" },
      says: ["kept", "{Y}"],
    },
    {
      pair: ["set", "itself"],
      how: "tainted, and the list shrinks: Y is let go",
      recorded: { first: set(["X", "Y"], TAINTED) },
      program: { first: set(["X"]) },
      left: { first: "X" },
      says: ["kept", "{Y}"],
    },
    {
      pair: ["set", "itself"],
      how: "tainted and in another provider, and the list shrinks: Y is let go",
      recorded: { first: set(["X", "Y"], TAINTED) },
      program: { first: set(["X"], IN_SECOND) },
      left: { first: "X" },
      says: ["kept", "{Y}"],
    },
    {
      pair: ["set", "itself"],
      how: "another `replacementTrigger`, and the list shrinks: Y is let go",
      recorded: { first: set(["X", "Y"], { replacementTrigger: "before" }) },
      program: { first: set(["X"], { replacementTrigger: "now" }) },
      left: { first: "X" },
      says: ["kept", "{Y}"],
    },
    {
      pair: ["set", "adopted"],
      how: "the set is tainted, and X leaves it for the other",
      recorded: { first: set(["X", "Y"], TAINTED) },
      program: { first: set(["Y"]), second: adopted("X") },
      left: { first: "Y", second: "X" },
      says: ["kept", "{X}", "{second}"],
    },
    {
      pair: ["adopted", "adopted"],
      how: "tainted, and renamed without an alias",
      recorded: { first: adopted("X", TAINTED) },
      program: { second: adopted("X") },
      left: { second: "X" },
      says: ["kept", "{X}", "{second}"],
    },
  ],
};

/** A replacement that cannot create first, because the name is taken. */
export const NOT_REPLACED: Run = {
  title: "Replaced, where the new control plane would need the name of the old one, in an up",
  command: "up --yes --skip-preview --continue-on-error --replace {0:first}",
  exitCode: 1,
  pairs: [
    {
      pair: ["created", "itself"],
      how: "`--replace`, without `deleteBeforeReplace`",
      recorded: { first: created("X") },
      program: { first: created("X") },
      left: { first: "X" },
      says: ["409 Conflict", "was not created", "{X}"],
    },
    {
      pair: ["created", "reference"],
      how: "both recorded; the first has another `replacementTrigger`, without `deleteBeforeReplace`",
      recorded: { first: created("X", { replacementTrigger: "before" }), second: get("X") },
      program: { first: created("X", { replacementTrigger: "now" }), second: get("X") },
      left: { first: "X", second: "X" },
      says: ["409 Conflict", "was not created", "{X}"],
    },
  ],
};

/** A replacement that deletes first. It has no `--continue-on-error`, because Pulumi would wait forever after a failure. */
export const DELETED_FIRST: Run = {
  title: "Replaced, with `deleteBeforeReplace`, in an up",
  command: "up --yes --skip-preview --replace {0:first}",
  exitCode: 0,
  pairs: [
    {
      pair: ["created", "itself"],
      how: "`--replace`",
      recorded: { first: created("X") },
      program: { first: created("X", { deleteBeforeReplace: true }) },
      deleted: ["X"],
      left: { first: "X'" },
    },
    {
      pair: ["created", "itself"],
      how: "another `replacementTrigger`",
      recorded: { first: created("X", { replacementTrigger: "before" }) },
      program: { first: created("X", { replacementTrigger: "now", deleteBeforeReplace: true }) },
      deleted: ["X"],
      left: { first: "X'" },
    },
    {
      pair: ["created", "reference"],
      how: "both recorded; the first is tainted, and the reference takes the id from the output",
      recorded: { first: created("X", TAINTED), second: get("X") },
      program: { first: created("X", { deleteBeforeReplace: true }), second: get({ idOf: "first" }) },
      deleted: ["X"],
      left: { first: "X'", second: "X'" },
      note: "Pulumi reads the reference only after the replacement",
    },
  ],
};

/** A replacement that would delete what the program refers to. */
export const REFERRED_TO_AND_DELETED_FIRST: Run = {
  title:
    "Replaced, with `deleteBeforeReplace`, while the program refers to the control plane by its id, in an up",
  command: "up --yes --skip-preview",
  exitCode: 1,
  pairs: [
    {
      pair: ["created", "reference"],
      how: "both recorded; the first is tainted, and depends on the reference",
      recorded: { first: created("X", TAINTED), second: get("X") },
      program: {
        second: get("X"),
        first: created("X", { deleteBeforeReplace: true, dependsOn: ["second"] }),
      },
      left: { first: "X", second: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
  ],
};

/** Options that could only be honored by deleting what was adopted. */
export const REFUSED_OPTIONS: Run = {
  title: "Options that would delete what was adopted, in a preview: the program fails",
  command: "preview",
  exitCode: 1,
  pairs: [
    {
      pair: ["adopted", "itself"],
      how: "`deleteBeforeReplace`",
      recorded: { first: adopted("X") },
      program: { first: adopted("X", { deleteBeforeReplace: true }) },
      left: { first: "X" },
      says: ["{first}", "deleteBeforeReplace"],
    },
    {
      pair: ["adopted", "itself"],
      how: "`replacementTrigger`",
      recorded: { first: adopted("X") },
      program: { first: adopted("X", { replacementTrigger: "now" }) },
      left: { first: "X" },
      says: ["{first}", "replacementTrigger"],
    },
    {
      pair: ["adopted", "created"],
      how: "both recorded; the first has `replaceWith`, with the second",
      recorded: { second: created("Y"), first: adopted("X") },
      program: { second: created("Y"), first: adopted("X", { replaceWith: ["second"] }) },
      left: { first: "X", second: "Y" },
      says: ["{first}", "replaceWith"],
    },
    {
      pair: ["set", "itself"],
      how: "`deleteBeforeReplace`",
      recorded: { first: set(["X"]) },
      program: { first: set(["X"], { deleteBeforeReplace: true }) },
      left: { first: "X" },
      says: ["{first}", "deleteBeforeReplace"],
    },
    {
      pair: ["set", "created"],
      how: "both recorded; the first has `replaceWith`, with the second",
      recorded: { second: created("Y"), first: set(["X"]) },
      program: { second: created("Y"), first: set(["X"], { replaceWith: ["second"] }) },
      left: { first: "X", second: "Y" },
      says: ["{first}", "replaceWith"],
    },
  ],
};
