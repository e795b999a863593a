import { type CheckResult, checkFailures, rivalFailure } from "../check.js";
import type { HookContext } from "../context.js";
import { noticeOverriddenAddress } from "../overridden-address.js";
import type { Properties } from "../../state/recorded-fields.js";
import { parseSetArguments } from "./set-arguments.js";

/** Judges the arguments of a set and the settings in preview and up, before anything is sent. */
export function checkSet(context: HookContext, inputs: Properties): CheckResult {
  const { settings, ledger, refreshes, urn } = context;
  const { ids, address, invalid } = parseSetArguments(inputs, settings);
  refreshes.forget(urn);
  const [rival, ...others] = ledger.declare(urn, { kind: "set", ids, address });
  if (address !== undefined) noticeOverriddenAddress(context, inputs, { address });
  return {
    inputs: { ...inputs, ...(ids !== undefined && { controlPlaneIds: ids }) },
    failures: [
      ...checkFailures(settings, inputs, invalid),
      ...(rival === undefined ? [] : rivalFailure(urn, [rival, ...others])),
    ],
  };
}
