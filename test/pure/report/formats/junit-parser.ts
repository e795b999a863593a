import { parse, type TestSuites } from "junit2json";

/** Parses JUnit XML whose root holds test suites. Rejects when it is not well-formed. */
export async function parseJunit(xml: string): Promise<TestSuites> {
  const root = await parse(xml);
  if (root === undefined || root === null || !("testsuite" in root)) throw new Error("no test suites");
  return root;
}
