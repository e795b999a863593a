import fc from "fast-check";
import type { Answer } from "../../../provider/service/http/answer.js";
import { safeText } from "../../../provider/text/safe-text.js";
import { anyText } from "../../dangerous-text.js";

const secretText = anyText(6).map((text) => `${text} with Bearer hunter2 and spat_hunter2 ${text}`);

/** Generates text that an answer may hold: dangerous, long or short, with and without a secret. */
export const foreignText = fc.oneof(anyText(), anyText(3), secretText);
const odd = fc.oneof(
  foreignText,
  fc.double(),
  fc.constant(null),
  fc.array(foreignText, { maxLength: 3 }),
  fc.object(),
);

const parameter = fc.oneof(
  foreignText,
  odd,
  fc.record(
    {
      field: odd,
      reason: odd,
      rule: odd,
      source: odd,
      minimum: odd,
      maximum: odd,
      choices: odd,
      dependents: odd,
    },
    { requiredKeys: [] },
  ),
);

/** In the form of the service's own, with anything behind it. */
const trace = fc.oneof(
  fc.constant("konnect:trace:1"),
  foreignText.map((text) => `konnect:trace:${text.replace(/\s/g, "%20")}x`),
);

const problemBody = (status: number) =>
  fc
    .record(
      {
        status: fc.oneof({ weight: 5, arbitrary: fc.constant<unknown>(status) }, odd),
        title: fc.oneof({ weight: 5, arbitrary: foreignText }, odd),
        instance: fc.oneof({ weight: 5, arbitrary: trace }, odd),
        type: odd,
        detail: odd,
        message: odd,
        invalid_parameters: fc.oneof(odd, fc.array(parameter, { maxLength: 120 })),
      },
      { requiredKeys: ["status", "title", "instance"] },
    )
    .map((document) => JSON.stringify(document));

const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array).toString());

/** Generates an HTTP answer with any body and any `Retry-After`. */
export const anyReply: fc.Arbitrary<Answer> = fc
  .constantFrom(200, 202, 302, 400, 401, 403, 403, 404, 404, 409, 429, 500, 503, 599)
  .chain((status) =>
    fc.record({
      kind: fc.constant("reply" as const),
      delivery: fc.constant("answered" as const),
      status: fc.constant(status),
      body: fc.oneof(problemBody(status), foreignText, bytes),
      bodyEnd: fc.constantFrom("complete" as const, "too large" as const, "broken off" as const),
      retryAfter: foreignText,
    }),
  );

/** Generates the lack of an answer with any words, as the transport makes them safe. */
export const anyNoReply: fc.Arbitrary<Answer> = fc.record({
  kind: fc.constant("no reply" as const),
  delivery: fc.constantFrom("not sent" as const, "unknown" as const),
  cause: fc.constantFrom("not an HTTP answer" as const, "certificate not trusted" as const),
  detail: foreignText.map((text) => safeText(text, 300)),
});
