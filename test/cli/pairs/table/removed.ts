import { adopted, created, type Run, set } from "../pair.js";

const IN_SECOND = { inSecondProvider: true } as const;

/**
 * One of two declarations is removed. Both are recorded by an earlier release, or after an `up` that failed halfway or that
 * had `--target`.
 */
export const REMOVED: Run = {
  title: "Both recorded, and one is removed, in an up",
  command: "up --yes --skip-preview --continue-on-error",
  exitCode: 0,
  pairs: [
    {
      pair: ["created", "adopted"],
      how: "the second is removed",
      recorded: { first: created("X"), second: adopted("X") },
      program: { first: created("X") },
      left: { first: "X" },
      says: ["kept", "{X}", "{first}"],
    },
    {
      pair: ["created", "adopted"],
      how: "the first is removed",
      recorded: { first: created("X"), second: adopted("X") },
      program: { second: adopted("X") },
      left: { second: "X" },
      says: ["kept", "{X}", "{second}"],
    },
    {
      pair: ["created", "set"],
      how: "the second is removed",
      recorded: { first: created("X"), second: set(["X"]) },
      program: { first: created("X") },
      left: { first: "X" },
      says: ["kept", "{X}", "{first}"],
    },
    {
      pair: ["created", "set"],
      how: "the first is removed",
      recorded: { first: created("X"), second: set(["X", "Y"]) },
      program: { second: set(["X", "Y"]) },
      left: { second: "X Y" },
      says: ["kept", "{X}", "{second}"],
    },
    {
      pair: ["adopted", "adopted"],
      how: "either is removed",
      recorded: { first: adopted("X"), second: adopted("X") },
      program: { second: adopted("X") },
      left: { second: "X" },
      says: ["kept", "{X}", "{second}"],
    },
    {
      pair: ["adopted", "set"],
      how: "the first is removed",
      recorded: { first: adopted("X"), second: set(["X", "Y"]) },
      program: { second: set(["X", "Y"]) },
      left: { second: "X Y" },
      says: ["kept", "{X}", "{second}"],
    },
    {
      pair: ["adopted", "set"],
      how: "the second is removed; Y is let go",
      recorded: { first: adopted("X"), second: set(["X", "Y"]) },
      program: { first: adopted("X") },
      left: { first: "X" },
      says: ["kept", "{Y}"],
    },
    {
      pair: ["set", "set"],
      how: "either is removed; Y is let go",
      recorded: { first: set(["X", "Y"]), second: set(["X", "Z"]) },
      program: { second: set(["X", "Z"]) },
      left: { second: "X Z" },
      says: ["kept", "{Y}"],
    },
    {
      pair: ["adopted", "adopted"],
      how: "in two providers; the first is removed",
      recorded: { first: adopted("X"), second: adopted("X", IN_SECOND) },
      program: { second: adopted("X", IN_SECOND) },
      left: { second: "X" },
      says: ["kept", "{X}", "{second}"],
    },
    {
      pair: ["created", "set"],
      how: "in two providers; the second is removed",
      recorded: { first: created("X"), second: set(["X"], IN_SECOND) },
      program: { first: created("X") },
      left: { first: "X" },
      says: ["kept", "{X}", "{first}"],
    },
    {
      pair: ["set", "nothing"],
      how: "the whole set is removed",
      recorded: { first: set(["X", "Y"]) },
      deleted: ["X", "Y"],
      left: {},
    },
  ],
};
