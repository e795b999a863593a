import { adopted, created, get, type Run, set } from "../pair.js";

const IN_SECOND = { inSecondProvider: true } as const;

/** A reference beside a resource. It holds nothing, and is never an error. */
export const BESIDE_A_REFERENCE: Run = {
  title: "A reference beside a resource, in an up",
  command: "up --yes --skip-preview",
  exitCode: 0,
  pairs: [
    {
      pair: ["adopted", "reference"],
      how: "both new",
      program: { first: adopted("X"), second: get("X") },
      left: { first: "X", second: "X" },
    },
    {
      pair: ["reference", "adopted"],
      how: "both new; the reference comes first in the program, and the other depends on it",
      program: { first: get("X"), second: adopted("X", { dependsOn: ["first"] }) },
      left: { first: "X", second: "X" },
    },
    {
      pair: ["adopted", "reference"],
      how: "both new, in two providers",
      program: { first: adopted("X"), second: get("X", IN_SECOND) },
      left: { first: "X", second: "X" },
    },
    {
      pair: ["created", "reference"],
      how: "both new; the reference takes the id from the output",
      program: { first: created("X"), second: get({ idOf: "first" }) },
      left: { first: "X'", second: "X'" },
    },
    {
      pair: ["set", "reference"],
      how: "both new",
      program: { first: set(["X", "Y"]), second: get("X") },
      left: { first: "X Y", second: "X" },
    },
    {
      pair: ["reference", "reference"],
      how: "both new",
      program: { first: get("X"), second: get("X") },
      left: { first: "X", second: "X" },
    },
    {
      pair: ["adopted", "reference"],
      how: "the reference is added later, first in the program",
      recorded: { first: adopted("X") },
      program: { second: get("X"), first: adopted("X") },
      left: { first: "X", second: "X" },
    },
    {
      pair: ["created", "reference"],
      how: "the reference is added later, in a second provider",
      recorded: { first: created("X") },
      program: { first: created("X"), second: get("X", IN_SECOND) },
      left: { first: "X", second: "X" },
    },
    {
      pair: ["reference", "adopted"],
      how: "the other is added later",
      recorded: { first: get("X") },
      program: { first: get("X"), second: adopted("X") },
      left: { first: "X", second: "X" },
    },
    {
      pair: ["reference", "set"],
      how: "the other is added later",
      recorded: { first: get("X") },
      program: { first: get("X"), second: set(["X"]) },
      left: { first: "X", second: "X" },
    },
    {
      pair: ["adopted", "reference"],
      how: "both recorded; the reference is removed",
      recorded: { first: adopted("X"), second: get("X") },
      program: { first: adopted("X") },
      left: { first: "X" },
    },
    {
      pair: ["reference", "reference"],
      how: "both recorded; one is removed, and the other gets another name",
      recorded: { first: get("X"), second: get("X") },
      program: { third: get("X") },
      left: { third: "X" },
    },
    {
      pair: ["reference", "adopted"],
      how: "the reference is replaced by the other, under another name",
      recorded: { first: get("X") },
      program: { second: adopted("X") },
      left: { second: "X" },
    },
    {
      pair: ["reference", "adopted"],
      how: "the reference is replaced by the other, under the same name",
      recorded: { first: get("X") },
      program: { first: adopted("X") },
      left: { first: "X" },
    },
    {
      pair: ["adopted", "reference"],
      how: "the reference takes the name of the other",
      recorded: { first: adopted("X") },
      program: { first: get("X") },
      left: { first: "X" },
      note: "Pulumi drops the old resource, and asks no provider",
    },
    {
      pair: ["created", "reference"],
      how: "the reference takes the name of the other",
      recorded: { first: created("X") },
      program: { first: get("X") },
      left: { first: "X" },
      note: "Pulumi drops the old resource, and asks no provider",
    },
  ],
};

/** A resource that ends while the program refers to its control plane. */
export const STILL_REFERRED_TO: Run = {
  title: "A resource ends, and the program still refers to its control plane, in an up",
  command: "up --yes --skip-preview --continue-on-error",
  exitCode: 1,
  pairs: [
    {
      pair: ["adopted", "reference"],
      how: "both recorded; the first is removed",
      recorded: { first: adopted("X"), second: get("X") },
      program: { second: get("X") },
      left: { first: "X", second: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
    {
      pair: ["created", "reference"],
      how: "both recorded; the first is removed",
      recorded: { first: created("X"), second: get("X") },
      program: { second: get("X") },
      left: { first: "X", second: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
    {
      pair: ["set", "reference"],
      how: "both recorded; the first is removed",
      recorded: { first: set(["X"]), second: get("X") },
      program: { second: get("X") },
      left: { first: "X", second: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
    {
      pair: ["adopted", "reference"],
      how: "both recorded, in two providers; the first is removed",
      recorded: { first: adopted("X"), second: get("X", IN_SECOND) },
      program: { second: get("X", IN_SECOND) },
      left: { first: "X", second: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
    {
      pair: ["adopted", "reference"],
      how: "the reference is new, under another name, and takes the place of the other",
      recorded: { first: adopted("X") },
      program: { second: get("X") },
      left: { first: "X", second: "X" },
      says: ["Still referred to", "{X}", "{first}", "{second}"],
    },
  ],
};
