import { type CheckResult, checkFailures } from "../check.js";
import type { HookContext } from "../context.js";
import { noticeOverriddenAddress } from "../overridden-address.js";
import type { Properties } from "../../state/recorded-fields.js";
import { parseSetArguments } from "./set-arguments.js";

/** Judges the arguments of a set and the settings in preview and up, before anything is sent. */
export function checkSet(context: HookContext, inputs: Properties): CheckResult {
  const { settings, memory, emit } = context;
  const { ids, address, invalid } = parseSetArguments(inputs, settings);
  memory.noteSetDeclared(ids ?? []);
  if (address !== undefined) {
    const noteNotice = (notice: string) => memory.noteNotice(notice);
    noticeOverriddenAddress({ settings, emit, noteNotice }, inputs, { address });
  }
  return {
    inputs: { ...inputs, ...(ids !== undefined && { controlPlaneIds: ids }) },
    failures: checkFailures(settings, inputs, invalid),
  };
}
