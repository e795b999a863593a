import type { ControlPlane, InvalidParameter, ProblemDocument } from "../../../emulator/index.js";
import type { Received } from "./send-request.js";

/** Returns the control plane in the body of an answer. */
export function controlPlaneIn({ text }: Received): ControlPlane {
  return JSON.parse(text) as ControlPlane;
}

/** Returns the problem document in the body of an answer. */
export function problemIn({ text }: Received): ProblemDocument {
  return JSON.parse(text) as ProblemDocument;
}

/** Returns the entries of `invalid_parameters` in the body of an answer. */
export function entriesIn(answer: Received): readonly InvalidParameter[] {
  return problemIn(answer).invalid_parameters ?? [];
}
