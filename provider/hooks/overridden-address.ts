import type { OutcomeEvent } from "../report/outcome-event.js";
import type { CallSubject } from "../service/operations/control-plane-ref.js";
import type { Settings } from "../settings/settings.js";
import type { Properties } from "../state/recorded-fields.js";

/** Who is told of an address in the environment that is not used. */
export interface NoticeOfAddress {
  readonly settings: Pick<Settings, "environmentAddress">;
  readonly emit: (event: OutcomeEvent) => void;
  /** Notes that a notice is given. Returns whether it is the first time in this run. */
  readonly noteNotice: (notice: string) => boolean;
}

/** Notices, once for each address, that an argument wins over the address in the environment. */
export function noticeOverriddenAddress(
  { settings, emit, noteNotice }: NoticeOfAddress,
  inputs: Properties,
  subject: CallSubject,
): void {
  const { address } = subject;
  const { environmentAddress } = settings;
  const argument = inputs.region === undefined ? "baseUrl" : "region";
  if (inputs[argument] === undefined || environmentAddress === undefined) return;
  const { setting: variable, parsed: inEnvironment } = environmentAddress;
  if (!inEnvironment.ok || inEnvironment.address === address || !noteNotice(`override ${address}`)) return;
  emit({
    type: "argument overrides environment",
    controlPlane: subject,
    argument,
    variable,
    inEnvironment: inEnvironment.address,
  });
}
