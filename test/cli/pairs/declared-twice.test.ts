// A file of its own, so that it runs beside the other pairs.
import { suiteOf } from "./pair-suite.js";
import { DECLARED_TWICE } from "./table/index.js";

for (const run of DECLARED_TWICE) suiteOf(run);
