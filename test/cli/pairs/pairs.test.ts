import "./pairs-page.js";
import { suiteOf } from "./pair-suite.js";
import { SHARED_RUNS } from "./table/index.js";

for (const run of SHARED_RUNS) suiteOf(run);
