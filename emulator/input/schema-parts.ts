/** A text, which may be empty. */
export const text = { type: "string", description: "a string" };

/** A text that is not empty. */
export const filledText = { type: "string", minLength: 1, description: "a string that is not empty" };

/** A whole number within two limits. */
export const wholeNumber = (minimum: number, maximum: number) => ({
  type: "integer",
  minimum,
  maximum,
  description: `a whole number from ${minimum} to ${maximum}`,
});

/** One of several texts. */
export const oneOf = (choices: readonly string[]) => ({
  enum: choices,
  description: `one of ${choices.join(", ")}`,
});

/** A list of things that are all alike. */
export const list = (what: string, items: object) => ({
  type: "array",
  description: `a list of ${what}`,
  items,
});
