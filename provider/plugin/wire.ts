import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import {
  isSecret,
  type Properties,
  SECRET_SIGNATURE,
  SIGNATURE_KEY,
  UNKNOWN,
} from "../state/recorded-fields.js";
import { isObject } from "../text/json.js";

// How Pulumi's engine writes properties into messages. Source: Pulumi, sdk/go/common/resource/plugin/rpc.go.

/** What stands for a value that is not known yet: a marker for each type. */
const UNKNOWNS: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // a boolean
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // a number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // a list
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // an object
  "030794c1-ac77-496b-92df-f27374a8bd58", // an asset
  "e48ece36-62e2-4504-bad9-02848725956a", // an archive
]);

/**
 * Returns properties as hooks use them: with one marker for what is not known yet, without secrets around values, and without
 * what is null.
 */
export function fromStruct(struct: Struct | undefined): Properties {
  const value = plain(struct?.toJavaScript() ?? {});
  return isObject(value) ? value : {};
}

/** Returns properties as the engine reads them. What is undefined is left out. */
export function toStruct(properties: Properties): Struct {
  const value: unknown = JSON.parse(JSON.stringify(properties));
  return Struct.fromJavaScript(value as Record<string, JavaScriptValue>);
}

/** Marks a value as secret, so that the state encrypts it. */
export function secret(value: unknown): Properties {
  return { [SIGNATURE_KEY]: SECRET_SIGNATURE, value };
}

function plain(value: unknown): unknown {
  if (UNKNOWNS.has(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  if (isSecret(value)) return plain(value.value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => (entry === null ? [] : [[key, plain(entry)]])),
  );
}
