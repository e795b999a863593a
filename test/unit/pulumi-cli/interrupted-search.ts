import { goBuild } from "../../../tools/pulumi-cli/go-build.js";
import { findPulumiCli } from "../../../tools/pulumi-cli/index.js";

void findPulumiCli({ makers: [goBuild] });
