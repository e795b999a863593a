export { findPulumiCli, type FindOptions } from "./find.js";
export { cliEnvironment, type CliSource, type PulumiCli } from "./pulumi-cli.js";
