import { expect } from "chai";
import { comesFromService, parseProblem } from "../../../provider/service/problem.js";

const documented = {
  status: 404,
  title: "Not Found",
  type: "https://kongapi.info/konnect/not-found",
  instance: "konnect:trace:2287285207635123011",
  detail: "The control plane does not exist.",
};
const parse = (value: unknown) => parseProblem(JSON.stringify(value));

describe("an error body", () => {
  it("gives every field of a problem document", () => {
    expect(parse({ ...documented, extra: 1 })).to.deep.equal({ ...documented, invalidParameters: [] });
  });

  it("gives the entries of invalid_parameters", () => {
    const entry = { field: "id", reason: "invalid ID format" };
    expect(parse({ invalid_parameters: [entry] })).to.deep.equal({ invalidParameters: [entry] });
  });

  it("gives a gateway's message as the detail", () => {
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
  it("gives nothing of members that have another type", () => {
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
    it(`is read as text when it is ${what}`, () => {
      expect(parseProblem(body)).to.deep.equal({
        ...(detail !== undefined && { detail }),
        invalidParameters: [],
      });
    });
  }

  it("is read only at its beginning when it is a long page", () => {
    expect(parseProblem("x".repeat(100_000)).detail).to.have.length(300);
  });

  for (const length of [270, 4_060]) {
    it(`has no secret in it that is cut after ${length} characters`, () => {
      const text = (length > 300 ? `<p${" ".repeat(length)}>` : "x".repeat(length)) + " at https://user:";
      const { detail } = parseProblem(`${text}${"hunter2".repeat(20)}@proxy/ and more`);
      expect(detail).to.match(/ ?at https:\/\/\[removed/);
    });
  }

  it("takes no more than a moment when it is a hostile page", () => {
    const began = performance.now();
    for (const piece of ["<script", "<", "<style>", " "]) parseProblem(piece.repeat(60_000));
    expect(performance.now() - began).to.be.lessThan(1_000);
  });
});

describe("the proof that an error comes from the service", () => {
  const proofs: readonly object[] = [
    documented,
    { status: 404, title: "Not Found", instance: "konnect:trace:1" },
    { status: 404, title: "", instance: "" },
    { ...documented, detail: 7, extra: [] },
  ];
  for (const body of proofs) {
    it(`is given by ${JSON.stringify(body)}`, () =>
      expect(comesFromService(parse(body), 404)).to.equal(true));
  }

  const others: readonly unknown[] = [
    { ...documented, status: 403 },
    { ...documented, status: "404" },
    { ...documented, status: undefined },
    { ...documented, title: undefined },
    { ...documented, title: 404 },
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
    it(`is not given by ${JSON.stringify(body)}`, () =>
      expect(comesFromService(parse(body), 404)).to.equal(false));
  }

  for (const body of ["", "<h1>404 Not Found</h1>", JSON.stringify(documented).slice(0, -1)]) {
    it(`is not given by the text ${JSON.stringify(body)}`, () => {
      expect(comesFromService(parseProblem(body), 404)).to.equal(false);
    });
  }

  it("needs the status that the answer has", () => {
    const denied = parse({ ...documented, status: 403, title: "Permission denied" });
    expect(comesFromService(denied, 403)).to.equal(true);
    expect(comesFromService(denied, 404)).to.equal(false);
    expect(comesFromService(parse(documented), 403)).to.equal(false);
  });
});
