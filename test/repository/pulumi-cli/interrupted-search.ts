import { findPulumiCli } from "../../../tools/pulumi-cli/index.js";
import { goBuild } from "../../../tools/pulumi-cli/makers/go-build.js";

void findPulumiCli({ makers: [goBuild] });
