import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.js";
import { type Asciicast, parseAsciicast } from "./asciicast.js";
import type { Excerpt } from "./excerpt.js";
import { play } from "./screen.js";
import { type Caption, renderSvg } from "./screen-svg.js";

/** The recording of the quickstart from which the picture in README.md is made. */
export const RECORDING = path.join(ROOT, "docs/images/destroy.cast");

/** The picture in README.md. */
export const PICTURE = path.join(ROOT, "docs/images/destroy.svg");

/** What the picture shows of the quickstart's output. */
export const EXCERPTS: readonly Excerpt[] = [
  { first: "$ pulumi destroy", last: "Destroying (dev):" },
  { first: "Diagnostics:", last: "pulumi:pulumi:Stack (" },
  { first: "503, retry 2", last: "503, retry 3" },
  { first: "$ npx pulumi-konnect-control-planes report", last: "5 control planes:" },
];

const CAPTION: Caption = {
  title: "A pulumi destroy in a terminal",
  description:
    "The destroy retries 503 and 429 and deletes four of five control planes. One is refused with 403: the error shows the service's problem detail, its trace and the next step.",
};

/** Reads the recording. */
export function readRecording(): Asciicast {
  return parseAsciicast(readFileSync(RECORDING, "utf8"));
}

/** Renders the picture of a recording. */
export async function renderPicture(recording: Asciicast): Promise<string> {
  return renderSvg(await play(recording), recording.columns, CAPTION);
}
