import { VERSION } from "../version.js";
import schema from "./schema.json";

/** Returns the schema of the package. `npm run plugin` makes it from the doc comments of the TypeScript package. */
export function packageSchema(): object {
  return { ...schema, version: VERSION };
}
