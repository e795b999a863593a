import { adopted, created, get, type Run, set } from "../pair.js";

const IN_SECOND = { inSecondProvider: true } as const;

/** No program runs, so nothing is declared: each resource deletes, and who comes second finds it gone. */
export const DESTROYED: Run = {
  title: "A plain destroy, which runs no program",
  command: "destroy --yes --skip-preview",
  exitCode: 0,
  pairs: [
    {
      pair: ["created", "adopted"],
      how: "both recorded",
      recorded: { first: created("X"), second: adopted("X") },
      deleted: ["X"],
      left: {},
      says: ["already gone", "{X}"],
    },
    {
      pair: ["created", "set"],
      how: "both recorded",
      recorded: { first: created("X"), second: set(["X", "Y"]) },
      deleted: ["X", "Y"],
      left: {},
      says: ["already gone", "{X}"],
    },
    {
      pair: ["adopted", "adopted"],
      how: "both recorded, in two providers",
      recorded: { first: adopted("X"), second: adopted("X", IN_SECOND) },
      deleted: ["X"],
      left: {},
      says: ["already gone", "{X}"],
    },
    {
      pair: ["adopted", "set"],
      how: "both recorded",
      recorded: { first: adopted("X"), second: set(["X"]) },
      deleted: ["X"],
      left: {},
      says: ["already gone", "{X}"],
    },
    {
      pair: ["set", "set"],
      how: "both recorded",
      recorded: { first: set(["X", "Y"]), second: set(["X", "Z"]) },
      deleted: ["X", "Y", "Z"],
      left: {},
      says: ["already gone", "{X}"],
    },
    {
      pair: ["adopted", "reference"],
      how: "both recorded",
      recorded: { first: adopted("X"), second: get("X") },
      deleted: ["X"],
      left: {},
    },
    {
      pair: ["created", "reference"],
      how: "both recorded, in two providers",
      recorded: { first: created("X"), second: get("X", IN_SECOND) },
      deleted: ["X"],
      left: {},
    },
    {
      pair: ["set", "reference"],
      how: "both recorded",
      recorded: { first: set(["X"]), second: get("X") },
      deleted: ["X"],
      left: {},
    },
    {
      pair: ["reference", "reference"],
      how: "both recorded",
      recorded: { first: get("X"), second: get("X") },
      left: {},
    },
  ],
};

/** The program runs, and Pulumi asks the provider about references alone. */
export const DESTROYED_WITH_PROGRAM: Run = {
  title: "`destroy --run-program`, without a reference to what is destroyed",
  command: "destroy --yes --skip-preview --continue-on-error --run-program",
  exitCode: 0,
  pairs: [
    {
      pair: ["created", "adopted"],
      how: "both recorded and declared",
      recorded: { first: created("X"), second: adopted("X") },
      program: { first: created("X"), second: adopted("X") },
      deleted: ["X"],
      left: {},
    },
    {
      pair: ["adopted", "set"],
      how: "both recorded and declared, in two providers",
      recorded: { first: adopted("X"), second: set(["X", "Y"], IN_SECOND) },
      program: { first: adopted("X"), second: set(["X", "Y"], IN_SECOND) },
      deleted: ["X", "Y"],
      left: {},
    },
    {
      pair: ["adopted", "adopted"],
      how: "renamed without an alias since the last up",
      recorded: { first: adopted("X") },
      program: { second: adopted("X") },
      deleted: ["X"],
      left: {},
      note: "Pulumi creates nothing in a destroy, and checks nothing",
    },
    {
      pair: ["adopted", "reference"],
      how: "both recorded; the reference was removed since the last up",
      recorded: { first: adopted("X"), second: get("X") },
      program: { first: adopted("X") },
      deleted: ["X"],
      left: {},
    },
    {
      pair: ["reference", "reference"],
      how: "both recorded and declared",
      recorded: { first: get("X"), second: get("X") },
      program: { first: get("X"), second: get("X") },
      left: {},
    },
    {
      pair: ["adopted", "reference"],
      how: "the reference took the name of the other since the last up",
      recorded: { first: adopted("X") },
      program: { first: get("X") },
      left: {},
      note: "a limit: Pulumi drops the old resource, and asks no provider",
    },
  ],
};

/** What the program refers to is not destroyed, and not forgotten. */
export const DESTROYED_AND_REFERRED_TO: Run = {
  title: "`destroy --run-program` of what the program refers to",
  command: "destroy --yes --skip-preview --continue-on-error --run-program",
  exitCode: 1,
  pairs: [
    {
      pair: ["adopted", "reference"],
      how: "both recorded and declared",
      recorded: { first: adopted("X"), second: get("X") },
      program: { first: adopted("X"), second: get("X") },
      left: { first: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
    {
      pair: ["created", "reference"],
      how: "both recorded and declared; the reference takes the id from the output",
      recorded: { first: created("X"), second: get("X") },
      program: { first: created("X"), second: get({ idOf: "first" }) },
      left: { first: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
    {
      pair: ["set", "reference"],
      how: "both recorded and declared, in two providers",
      recorded: { first: set(["X"]), second: get("X", IN_SECOND) },
      program: { first: set(["X"]), second: get("X", IN_SECOND) },
      left: { first: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
  ],
};

export const REFRESHED: Run = {
  title: "A refresh",
  command: "refresh --yes --skip-preview",
  exitCode: 0,
  pairs: [
    {
      pair: ["created", "adopted"],
      how: "both recorded, and X is gone",
      recorded: { first: created("X"), second: adopted("X") },
      service: { gone: ["X"] },
      left: {},
    },
    {
      pair: ["adopted", "set"],
      how: "both recorded, in two providers, and X is gone",
      recorded: { first: adopted("X"), second: set(["X", "Y"], IN_SECOND) },
      service: { gone: ["X"] },
      left: { second: "Y" },
    },
    {
      pair: ["adopted", "reference"],
      how: "both recorded, and X is gone",
      recorded: { first: adopted("X"), second: get("X") },
      service: { gone: ["X"] },
      left: {},
    },
    {
      pair: ["created", "set"],
      how: "both recorded, and X is there",
      recorded: { first: created("X"), second: set(["X"]) },
      left: { first: "X", second: "X" },
    },
  ],
};

export const REFRESHED_IN_DOUBT: Run = {
  title: "A refresh that gets a 404 which is not the service's own",
  command: "refresh --yes --skip-preview",
  exitCode: 1,
  pairs: [
    {
      pair: ["created", "adopted"],
      how: "both recorded",
      recorded: { first: created("X"), second: adopted("X") },
      service: { hidden: ["X"] },
      left: { first: "X", second: "X" },
      says: ["404", "{X}"],
    },
  ],
};
