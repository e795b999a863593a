import sinon from "sinon";
import { adoptControlPlane } from "../../../provider/hooks/adopted.js";
import { createConsoleSink } from "../../../provider/report/console-sink.js";
import { readResource } from "../../../provider/hooks/read.js";
import { createResource } from "../../../provider/hooks/resource.js";
import { parseProblem } from "../../../provider/service/problem/problem.js";
import type { Messages } from "../../runbook-page.js";
import { found, gone, noReply, problemReply, reply, unavailable } from "../../pure/service/answers.js";
import { after } from "../../pure/service/fake-service.js";
import { GROUP_MESSAGES } from "./group-messages.js";
import { always, destroyed, EU, ID, Night, PAYMENTS } from "./night.js";

const DENIED = problemReply(403, "Permission denied", {
  detail: "The role-set of [sa-ci] does not allow this action.",
});
const UNAUTHENTICATED = problemReply(401, "Unauthenticated", { detail: "A valid token is required" });

const ADOPTED = { controlPlaneId: ID, region: "eu" };

/** What the runbook quotes about answers of the service, or of something on the way to it. */
export const ANSWER_MESSAGES: Messages = {
  "401: the token is not valid": [() => destroyed([UNAUTHENTICATED])],
  "401: the token of the last `up`": [
    () => destroyed([UNAUTHENTICATED], { config: { "konnect:token": "spat_ofTheLastUp0123456789" } }),
  ],
  "403: the role is missing": [() => destroyed([DENIED])],
  "403: adopted or refreshed without reading": [
    () => new Night([DENIED]).read((context) => adoptControlPlane(context, ADOPTED)),
    () => new Night([DENIED]).read((context) => readResource(context, ID, PAYMENTS)),
  ],
  "404, 403 or 3xx that did not come from Konnect": [
    () => destroyed([reply(404, "<html><title>Not found</title></html>")]),
    () => destroyed([reply(403, "<html><title>Blocked by policy</title></html>")]),
    () => destroyed([reply(302)]),
  ],
  "404: already gone": [() => destroyed([gone]), () => destroyed([noReply("connection reset"), gone])],
  "404: not adopted": [() => new Night([gone]).read((context) => adoptControlPlane(context, ADOPTED))],
  "The answer to a creation was lost": [
    () => {
      const empty = reply(200, { data: [], meta: { page: { number: 1, size: 100, total: 0 } } });
      const night = new Night([noReply("connection reset"), ...always(empty)]);
      return night.read((context) => createResource(context, { name: "edge", region: "eu" }));
    },
  ],
  ...GROUP_MESSAGES,
  "429 with a long Retry-After": [
    () => destroyed([reply(429, { message: "API rate limit exceeded" }, { retryAfter: "900" })]),
  ],
  "503 until all retries are used up": [
    () => destroyed(always(unavailable)),
    () => destroyed(always(after(45_000, unavailable))),
  ],
  "500: Konnect failed": [() => destroyed([problemReply(500, "Internal Server Error")])],
  "400: the request is invalid": [
    () =>
      destroyed([
        problemReply(400, "Bad Request", {
          detail: "The request is invalid.",
          invalid_parameters: [{ field: "id", reason: "invalid ID format" }],
        }),
      ]),
  ],
  "2xx, but not deleted": [
    () => destroyed([reply(200, "<html>Welcome</html>"), found]),
    () => destroyed([reply(200, "<html>Welcome</html>"), DENIED]),
    () => destroyed([reply(202, {}), ...always(found)]),
  ],
  "Lines about retries": [
    () => destroyed([unavailable, reply(204)]),
    () => destroyed([noReply("timed out", "no answer within 30 s"), reply(204)]),
    manyWait,
  ],
};

/** Returns the line that sums up many waiting calls. */
function manyWait(): string {
  const clock = sinon.useFakeTimers();
  try {
    const lines: string[] = [];
    const sink = createConsoleSink((line) => void lines.push(line));
    for (let n = 1; n <= 5; n += 1) {
      sink({
        type: "retrying",
        callId: n,
        subject: { id: `${n}${ID.slice(1)}`, address: EU, name: "payments" },
        answer: unavailable,
        problem: parseProblem(unavailable.body),
        awaits: undefined,
        ...{ attempt: 2, maxAttempts: 10, delayMs: 400, leftMs: 200_000 },
      });
    }
    clock.tick(5_000);
    return lines.join("\n");
  } finally {
    clock.restore();
  }
}
