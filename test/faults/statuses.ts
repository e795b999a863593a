import { BODY_FORMS, type BodyForm } from "./bodies.js";
import type { FaultCase } from "./fault-case.js";

/** How a delete ends whose first answer has a certain status, and the service's usual answer after it. */
type Ending = Omit<FaultCase, "title" | "faults">;

/** The error ends the call at once. Nothing is deleted. */
const kept = (row: string, begins: string, says: readonly string[] = []): Ending => ({
  row,
  outcome: "kept",
  exists: true,
  requests: 1,
  waitsMs: [],
  begins,
  says,
});

/** The error ends the call at once. The service may have failed before its work or after it. */
const failed = (row: string, begins: string): Ending => ({
  ...kept(row, begins, ["state     unknown: "]),
  mayBeDeleted: true,
});

/** The request is repeated, and the second one deletes the control plane. */
const repeated = (row: string): Ending => ({
  row,
  outcome: "deleted",
  exists: false,
  requests: 2,
  waitsMs: [500],
  says: [],
});

/** Only 204 proves a deletion. A GET finds the control plane afterwards. */
const unproven: Ending = {
  row: "any other 2xx to DELETE or POST",
  outcome: "kept",
  exists: true,
  requests: 1,
  waitsMs: [],
  begins: "200 ",
  says: [", but it still exists: control plane", "Only 204 means that a control plane is deleted."],
  confirmation: {
    row: "204 to DELETE and to a change of members, 201 with the control plane to its creation, 200 with what was asked for to GET and PATCH",
    requests: 1,
  },
};

const notFound = ({ proves, breaksOff }: BodyForm): Ending => {
  if (proves) {
    return {
      row: "404 with the service's problem document",
      outcome: "already gone",
      // The emulator lies here: it answers 404 and keeps the control plane.
      exists: true,
      requests: 1,
      waitsMs: [],
      says: ["404 from ", "konnect:trace:"],
    };
  }
  return breaksOff
    ? repeated("404 whose body broke off")
    : kept("404 with anything else", "404 Not Found, not from the service: ");
};

const forbidden = ({ proves }: BodyForm): Ending =>
  proves
    ? kept("403 with the service's problem document", "403 ", ["The words of the service."])
    : kept("403 with anything else", "403 Forbidden, not from the service: ");

/** What becomes of each status, in the order of the policy. Source: design, "What each answer does". */
const ENDINGS: readonly (readonly [status: number, ending: (body: BodyForm) => Ending])[] = [
  [200, () => unproven],
  [404, notFound],
  ...[503, 429, 408, 502, 504].map((status) => [status, () => repeated(String(status))] as const),
  [401, () => kept("401", "401 ")],
  [403, forbidden],
  [400, () => kept("400", "400 ")],
  [409, () => kept("409", "409 ", ["the control plane still exists"])],
  [500, () => failed("500", "500 ")],
  [418, () => kept("any other 4xx", "418 ")],
  [501, () => failed("any other 5xx", "501 ")],
  [599, () => failed("any other 5xx", "599")],
];

/** The statuses whose ending depends on the body. */
const READ = [200, 403, 404];

/** Forms of a body that stand for all of them where the body makes no difference. */
const SAMPLES = BODY_FORMS.filter(({ title }) =>
  ["its problem document", "HTML", "nothing", "200 MB", "a body that is broken off by a reset"].includes(
    title,
  ),
);

/** Each status with the forms of a body. */
export const STATUS_CASES: readonly FaultCase[] = ENDINGS.flatMap(([status, ending]) =>
  (READ.includes(status) ? BODY_FORMS : SAMPLES).map((body): FaultCase => ({
    title: `${status} with ${body.title}`,
    faults: [body.fault(status)],
    ...ending(body),
    ...(body.slow && { slow: true }),
  })),
);
