import type { CallSubject } from "../service/operations/control-planes.js";
import type { Settings } from "../settings/settings.js";
import { emitOnce, type HookContext } from "./context.js";
import type { Properties } from "../state/recorded-fields.js";

/** Who is told of an address in the environment that is not used. */
export interface NoticeOfAddress extends Pick<HookContext, "said" | "emit"> {
  readonly settings: Pick<Settings, "environmentAddress">;
}

/** Notices, once for each address, that an argument wins over the address in the environment. */
export function noticeOverriddenAddress(
  { settings, ...told }: NoticeOfAddress,
  inputs: Properties,
  subject: CallSubject,
): void {
  const { address } = subject;
  const { environmentAddress } = settings;
  const argument = inputs.region === undefined ? "baseUrl" : "region";
  if (inputs[argument] === undefined || environmentAddress === undefined) return;
  const { setting: variable, parsed: inEnvironment } = environmentAddress;
  if (!inEnvironment.ok || inEnvironment.address === address) return;
  const event = {
    type: "argument overrides environment" as const,
    controlPlane: subject,
    argument,
    variable,
    inEnvironment: inEnvironment.address,
  } as const;
  emitOnce(told, event, `override ${address}`);
}
