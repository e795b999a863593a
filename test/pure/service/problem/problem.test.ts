import { expect } from "chai";
import { comesFromService, parseProblem } from "../../../../provider/service/problem/problem.js";

const documented = {
  status: 404,
  title: "Not Found",
  type: "https://kongapi.info/konnect/not-found",
  instance: "konnect:trace:2287285207635123011",
  detail: "The control plane does not exist.",
};
const parse = (value: unknown) => parseProblem(JSON.stringify(value));

describe("parseProblem", () => {
  it("returns every field of a problem document, and no other", () => {
    expect(parse({ ...documented, extra: 1 })).to.deep.equal({ ...documented, invalidParameters: [] });
  });

  it("returns the entries of invalid_parameters", () => {
    const entry = { field: "id", reason: "invalid ID format" };
    expect(parse({ invalid_parameters: [entry] })).to.deep.equal({ invalidParameters: [entry] });
  });

  it("returns a gateway's message as the detail", () => {
    expect(parse({ message: "API rate limit exceeded" })).to.deep.equal({
      detail: "API rate limit exceeded",
      invalidParameters: [],
    });
  });

  it("prefers the detail to a message", () => {
    expect(parse({ detail: "d", message: "m" }).detail).to.equal("d");
    expect(parse({ detail: 7, message: "m" }).detail).to.equal("m");
  });

  const wrong = {
    status: "404",
    title: 1,
    type: [],
    instance: {},
    detail: null,
    message: false,
    invalid_parameters: {},
  };
  it("ignores members of another type", () => {
    expect(parse(wrong)).to.deep.equal({ invalidParameters: [] });
  });

  const texts: readonly (readonly [what: string, body: string, detail: string | undefined])[] = [
    ["nothing", "", undefined],
    ["only space", " \r\n\t", undefined],
    ["a plain sentence", "upstream connect\n error", "upstream connect error"],
    [
      "a proxy's page",
      "<html><head><title>502</title></head><body><h1>Bad  Gateway</h1></body>",
      "502 Bad Gateway",
    ],
    ["a page with script and style", "<style>a{}</style><p>Sorry<SCRIPT>x('y')</script>", "Sorry"],
    ["a page with a script between words", "Sorry<script>x</script>again", "Sorry again"],
    ["only mark-up", "<br/><hr>", undefined],
    ["broken JSON", '{"status": 404, "title"', '{"status": 404, "title"'],
    ["an array", "[1]", "[1]"],
    ["null", "null", "null"],
    ["a number", "404", "404"],
  ];
  for (const [what, body, detail] of texts) {
    it(`reads ${what} as text`, () => {
      expect(parseProblem(body)).to.deep.equal({
        ...(detail !== undefined && { detail }),
        invalidParameters: [],
      });
    });
  }

  it("reads the first 300 characters of a long page", () => {
    expect(parseProblem("x".repeat(100_000)).detail).to.have.length(300);
  });

  for (const length of [270, 4_060]) {
    it(`removes a secret that would be cut after ${length} characters`, () => {
      const text = (length > 300 ? `<p${" ".repeat(length)}>` : "x".repeat(length)) + " at https://user:";
      const { detail } = parseProblem(`${text}${"hunter2".repeat(20)}@proxy/ and more`);
      expect(detail).to.match(/ ?at https:\/\/\[removed/);
    });
  }

  it("reads a hostile page of 60,000 pieces in less than a second", () => {
    const began = performance.now();
    for (const piece of ["<script", "<", "<style>", " "]) parseProblem(piece.repeat(60_000));
    expect(performance.now() - began).to.be.lessThan(1_000);
  });
});

describe("comesFromService", () => {
  const proofs: readonly object[] = [
    documented,
    { status: 404, title: "Not Found", instance: "konnect:trace:1" },
    { status: 404, title: "Not Found", instance: "service:trace:9af0c9d7-3bb5-4d4b" },
    { status: 404, title: "Not Found", instance: "kong:trace:1" },
    { ...documented, detail: 7, extra: [] },
  ];
  for (const body of proofs) {
    it(`accepts ${JSON.stringify(body)}`, () => expect(comesFromService(parse(body), 404)).to.equal(true));
  }

  const others: readonly unknown[] = [
    { ...documented, status: 403 },
    { ...documented, status: "404" },
    { ...documented, status: undefined },
    { ...documented, title: undefined },
    { ...documented, title: 404 },
    // Spring's default body.
    { type: "about:blank", title: "Not Found", status: 404, instance: "/v2/control-planes/x" },
    { ...documented, title: "" },
    { ...documented, title: " \t" },
    { ...documented, instance: "" },
    { ...documented, instance: " " },
    { ...documented, instance: "2287285207635123011" },
    { ...documented, instance: "konnect:trace:" },
    { ...documented, instance: "konnect:trace: " },
    { ...documented, instance: ":trace:1" },
    { ...documented, instance: "trace:1" },
    { ...documented, instance: "konnect:span:1" },
    { ...documented, instance: "konnect:trace:1 and more" },
    { ...documented, instance: " konnect:trace:1" },
    { ...documented, instance: "/konnect:trace:1" },
    { ...documented, instance: "https://example.test/konnect:trace:1" },
    { ...documented, instance: "urn:uuid:9af0c9d7-3bb5-4d4b-9dbe-6a41e8d6f7a1" },
    { ...documented, instance: undefined },
    { ...documented, instance: null },
    { message: "no Route matched with those values" },
    { error: documented },
    [documented],
    "not found",
    null,
    {},
  ];
  for (const body of others) {
    it(`refuses ${JSON.stringify(body)}`, () => expect(comesFromService(parse(body), 404)).to.equal(false));
  }

  for (const body of ["", "<h1>404 Not Found</h1>", JSON.stringify(documented).slice(0, -1)]) {
    it(`refuses the text ${JSON.stringify(body)}`, () => {
      expect(comesFromService(parseProblem(body), 404)).to.equal(false);
    });
  }

  it("requires the status of the answer", () => {
    const denied = parse({ ...documented, status: 403, title: "Permission denied" });
    expect(comesFromService(denied, 403)).to.equal(true);
    expect(comesFromService(denied, 404)).to.equal(false);
    expect(comesFromService(parse(documented), 403)).to.equal(false);
  });
});
