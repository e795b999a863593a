#!/usr/bin/env node
// npm links this file before dist/ is built in a clone.
import "../dist/cli/main.js";
