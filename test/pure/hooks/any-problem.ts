import fc from "fast-check";
import type { Problem } from "../../../provider/service/problem/problem.js";
import { anyText } from "../../dangerous-text.js";

/** Generates any text, often with a secret in it. */
export const foreignText: fc.Arbitrary<string> = fc.oneof(
  anyText(),
  // A short text is not cut, so that its last character meets the words that follow it.
  anyText(3),
  anyText(6).map((text) => `${text} with Bearer hunter2 and spat_hunter2 ${text}`),
);

/** Generates the content of any error body. */
export const anyProblem: fc.Arbitrary<Problem> = fc.record(
  {
    title: foreignText,
    type: foreignText,
    instance: foreignText,
    detail: foreignText,
    invalidParameters: fc.constant([]),
  },
  { requiredKeys: ["invalidParameters"] },
);
