// One file, so that all suites share one stack, which one `up` has adopted.
import "./adopting.js";
import "./changing.js";
import "./destroying.js";
import "./state-commands.js";
import "./automation.js";
import "./sets.js";
import "./looking-up.js";
import "./mocks.js";
import "./feature-table.js";
