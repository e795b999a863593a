import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const FOLDER = path.resolve(__dirname, "../../../provider/schemas");

const read = (file: string) => JSON.parse(readFileSync(path.join(FOLDER, file), "utf8")) as { $id: string };

const LINE = read("report-line.schema.json");
const REPORT = read("report.schema.json");

const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats(ajv);
ajv.addSchema(LINE).addSchema(REPORT);

/** Returns what the published schema finds wrong with a line of a report file. Empty when it is valid. */
export function flawsOfLine(line: string): readonly string[] {
  return flaws(LINE.$id, JSON.parse(line));
}

/** Returns what the published schema finds wrong with a report in JSON. Empty when it is valid. */
export function flawsOfReport(report: string): readonly string[] {
  return flaws(REPORT.$id, JSON.parse(report));
}

function flaws(schema: string, value: unknown): readonly string[] {
  ajv.validate(schema, value);
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}
