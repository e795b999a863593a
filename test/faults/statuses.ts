import { BODY_FORMS, type BodyForm } from "./bodies.js";
import type { FaultCase, Outcome } from "./fault-case.js";

/** What becomes of a status, whatever its body; where the body matters, what becomes of it then. */
interface StatusRule {
  readonly status: number;
  readonly judge: (body: BodyForm) => Judgement;
}

interface Judgement {
  readonly row: string;
  readonly outcome: Outcome;
  readonly says: string;
}

const FOREIGN = "not from the service";

const kept = (status: number, row: string, says = String(status)): StatusRule => ({
  status,
  judge: () => ({ row, outcome: "kept", says }),
});
const retried = (status: number): StatusRule => ({
  status,
  judge: () => ({ row: String(status), outcome: "deleted", says: "" }),
});

/** Design section 5, in the order of the policy. */
const RULES: readonly StatusRule[] = [
  ...[200, 202].map((status) => ({
    status,
    judge: judgeSuccess,
  })),
  {
    status: 404,
    judge: ({ proves, breaksOff }) => {
      if (breaksOff && !proves) return { row: "404 whose body broke off", outcome: "deleted", says: "" };
      return proves
        ? { row: "404 with the service's problem document", outcome: "already gone", says: "konnect:trace:" }
        : { row: "404 with anything else", outcome: "kept", says: FOREIGN };
    },
  },
  ...[503, 429, 408, 502, 504].map(retried),
  kept(401, "401"),
  {
    status: 403,
    judge: ({ proves }) =>
      proves
        ? {
            row: "403 with the service's problem document",
            outcome: "kept",
            says: "The words of the service.",
          }
        : { row: "403 with anything else", outcome: "kept", says: FOREIGN },
  },
  kept(400, "400"),
  kept(409, "409"),
  kept(500, "500"),
  kept(418, "any other 4xx"),
  kept(501, "any other 5xx"),
  kept(599, "any other 5xx"),
];

function judgeSuccess({ isEmpty, isJson, breaksOff }: BodyForm): Judgement {
  if (breaksOff) return { row: "2xx whose body broke off", outcome: "deleted", says: "" };
  return isEmpty === true || isJson === true
    ? { row: "2xx", outcome: "deleted", says: "" }
    : { row: "2xx with a page", outcome: "kept", says: FOREIGN };
}

/** Each status with each form of a body. */
export const STATUS_CASES: readonly FaultCase[] = RULES.flatMap(({ status, judge }) =>
  BODY_FORMS.map((body): FaultCase => {
    const { row, outcome, says } = judge(body);
    const repeats = outcome === "deleted" && row !== "2xx";
    return {
      title: `${status} with ${body.title}`,
      row,
      faults: [body.fault(status)],
      outcome,
      requests: repeats ? 2 : 1,
      waitsMs: repeats ? [500] : [],
      says: says === "" ? [] : [says],
      ...(body.slow && { slow: true }),
    };
  }),
);
