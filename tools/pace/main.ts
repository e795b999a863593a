import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ROOT } from "../repository.js";
import { measure } from "./measure.js";
import { renderPace } from "./pace-picture.js";
import { BAD, type PaceResult, readPaceResult, type Sample } from "./result.js";

const ROUNDS = 3;
/** Longer than the CLI takes to start. */
const START_MS = 15_000;

const HELP = `Usage: npm run pace -- [--before FOLDER] [--json FILE]
       npm run pace -- --render FILE

Measures when the last healthy member of a set of 100 is gone while others always answer 503 with Retry-After: 20.
  --before FOLDER  also measures the checkout in this folder, which must be built
  --json FILE      writes what was measured
  --render FILE    draws docs/images/pace.svg`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      before: { type: "string" },
      json: { type: "string" },
      render: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(HELP);
    return;
  }
  if (values.render !== undefined) {
    writeFileSync(path.join(ROOT, "docs/images/pace.svg"), renderPace(readPaceResult(values.render)));
    return;
  }
  const samples: Sample[] = [];
  const note = (sample: Sample) => {
    samples.push(sample);
    const { contender, bad, lastHealthyMs, requests } = sample;
    console.log(`${contender}, ${bad} bad: ${(lastHealthyMs / 1_000).toFixed(1)} s, ${requests} requests`);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const bad of BAD) note(await measure("after", ROOT, bad));
  }
  const { before } = values;
  if (before !== undefined) {
    // They spend their time with waiting. Each one starts alone.
    const measureLater = async (bad: number, index: number) => {
      await delay(index * START_MS);
      note(await measure("before", before, bad));
    };
    await Promise.all(BAD.map(measureLater));
  }
  samples.sort((a, b) => a.contender.localeCompare(b.contender) || a.bad - b.bad);
  const result: PaceResult = { measuredOn: new Date().toISOString().slice(0, 10), samples };
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
