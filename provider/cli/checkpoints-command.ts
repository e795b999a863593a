import { judgeCheckpoints } from "../plan/checkpoints.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { safe } from "../text/safe-text.js";
import { type Command, commandError, type CommandIo, parseCommandArguments } from "./command.js";
import { parseStateSource, readState, type StateSource } from "./read-state.js";

const HELP = `Usage: pulumi-konnect-control-planes checkpoints [--stack NAME | --state FILE]

Says whether a destroy of a stack may skip Pulumi's checkpoints (PULUMI_SKIP_CHECKPOINTS).
It may when the stack holds only resources of this package, because their deletes succeed
when they are repeated, and when no operation is pending. Changes nothing, sends nothing.

Options:
  --stack NAME  the stack, which pulumi stack export reads; default: the selected one
  --state FILE  a file with the output of pulumi stack export, or the stack's file of a
                file backend; - reads standard input
  --help        shows this text

Exit codes:
  0  checkpoints may be skipped
  1  checkpoints are needed
  2  the state cannot be read`;

/** `checkpoints`: prints whether a destroy of a stack may skip Pulumi's checkpoints. */
export const checkpointsCommand: Command = {
  name: "checkpoints",
  summary: "say whether a destroy of a stack may skip Pulumi's checkpoints, which is faster",
  help: HELP,
  async run(args, io) {
    const text = { type: "string" } as const;
    const { stack, state } = parseCommandArguments({
      args: [...args],
      options: { stack: text, state: text },
    }).values;
    const { maySkip, why } = await judge(parseStateSource(stack, state), io);
    const verdict = maySkip ? safe`Checkpoints may be skipped` : safe`Checkpoints are needed`;
    io.stdout.write(`${verdict}: ${why}.\n`);
    return maySkip ? 0 : 1;
  },
};

async function judge(from: StateSource, io: CommandIo) {
  try {
    const { text, source } = await readState(from, io);
    return judgeCheckpoints(text, source);
  } catch (error) {
    throw error instanceof ControlPlaneError ? commandError(error.text) : error;
  }
}
