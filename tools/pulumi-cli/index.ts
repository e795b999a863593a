export { cliEnvironment, type CliSource, type PulumiCli } from "./cli.js";
export { findPulumiCli, type FindOptions } from "./find.js";
