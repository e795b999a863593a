import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { REPORT_FORMATS } from "../../provider/report/formats/report-formats.js";
import { buildReport } from "../../provider/report/report-model.js";
import { startCommand } from "../../tools/commands.js";
import { ROOT } from "../../tools/repository.js";
import { DENIED, lineAbout } from "../pure/report/report-lines.js";

const SECRET = "T00SENTINEL/B00SENTINEL";

const NIGHT = {
  ...{ nightVersion: 1, nightId: "1", command: "night", isDryRun: false, stack: "nightly" },
  ...{ project: "clean-up", startedAt: "2026-01-01T02:00:00.000Z", time: "2026-01-01T02:00:09.000Z" },
  ...{ ending: "complete", steps: [], job: "https://ci.example/job/7" },
};

const reportOf = (night: object, ...lines: readonly string[]): string => {
  const text = [JSON.stringify(night), ...lines].join("\n");
  return REPORT_FORMATS.json(buildReport([{ name: "night.jsonl", text }]));
};

describe("the example that posts a report to a webhook", function () {
  this.timeout(20_000);
  let server: Server;
  let answer: number;
  let posted: { readonly method: string | undefined; readonly body: string }[];
  let folder: string;
  let address: string;

  beforeEach(async () => {
    [answer, posted] = [200, []];
    folder = mkdtempSync(path.join(tmpdir(), "message-"));
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (data: Buffer) => (body += data.toString()));
      request.on("end", () => {
        posted.push({ method: request.method, body });
        response.writeHead(answer, answer === 302 ? { location: `/elsewhere/${SECRET}` } : {}).end(SECRET);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/${SECRET}`;
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const post = async (report: string | undefined, webhook: string | undefined = address) => {
    const file = path.join(folder, "night.json");
    if (report !== undefined) writeFileSync(file, report);
    const script = path.join(ROOT, "examples/pipelines/post-report.mjs");
    const env = { PATH: process.env.PATH, REPORT_WEBHOOK_URL: webhook };
    const result = await startCommand(process.execPath, [script, file], { env }).result;
    expect(result.output).not.to.contain("SENTINEL");
    const texts = posted.map(({ method, body }) => {
      expect(method).to.equal("POST");
      const message = JSON.parse(body) as Readonly<Record<string, string>>;
      expect(message).to.have.all.keys("text");
      return message.text ?? "";
    });
    return { ...result, texts };
  };

  it("says what is left and why, once for each cause, with the next step and the job", async () => {
    const { exitCode, output, texts } = await post(
      reportOf(
        NIGHT,
        lineAbout(1, 1, "deleted"),
        lineAbout(2, 2, "failed", DENIED),
        lineAbout(3, 3, "failed", DENIED),
        lineAbout(4, 4, "kept"),
      ),
    );
    expect(exitCode, output).to.equal(0);
    expect(texts).to.deep.equal([
      [
        "night on clean-up/nightly: 2 left (1 gone, 1 kept)",
        "• 403 Permission denied: plane-2, plane-3",
        "  next: give it the Admin role, then run again",
        "https://ci.example/job/7",
        "",
      ].join("\n"),
    ]);
  });

  it("says that nothing is left", async () => {
    const { texts } = await post(reportOf(NIGHT, lineAbout(1, 1, "deleted")));
    expect(texts[0]).to.match(/^night on clean-up\/nightly: nothing is left \(1 gone, 0 kept\)\n/);
  });

  it("never calls a night that failed or was killed one after which nothing is left", async () => {
    const reason = { summary: "`up` failed, so nothing is destroyed", said: [], next: "run it again" };
    const { texts } = await post(reportOf({ ...NIGHT, ending: "failed", reason }));
    expect(texts[0])
      .to.contain("it is not known whether anything is left")
      .and.to.contain("`up` failed, so nothing is destroyed\n  next: run it again\n");
    const [, killed] = (await post(reportOf({ ...NIGHT, ending: "unfinished" }))).texts;
    expect(killed).to.contain("It did not end: it was killed.").and.not.to.contain("nothing is left (");
  });

  it("makes no link and no mention of foreign text, and stays within what Slack shows", async () => {
    const planes = Array.from({ length: 300 }, (_, n) =>
      lineAbout(n, 1, "failed", {
        ...DENIED,
        problem: { status: 403, title: `<!channel> @here ${n} ${"x".repeat(400)}` },
      }),
    );
    const { exitCode, texts } = await post(reportOf(NIGHT, ...planes));
    expect(exitCode).to.equal(0);
    expect(texts[0]).to.contain("300 left").and.to.contain("&lt;!channel&gt; @\u200bhere");
    expect(texts[0]).not.to.match(/[<>]|@here/);
    expect(texts[0]?.length).to.be.below(4_000);
  });

  for (const report of [undefined, "", "[]", '{"left":[']) {
    it(`says that there is no report, and ends with 1, for ${report === undefined ? "a missing file" : JSON.stringify(report)}`, async () => {
      const { exitCode, texts } = await post(report);
      expect(exitCode).to.equal(1);
      expect(texts).to.have.length(1);
      expect(texts[0]).to.contain("The night left no report");
    });
  }

  it("ends with 1 when the webhook refuses the message, leads elsewhere or cannot be reached", async () => {
    const report = reportOf(NIGHT);
    answer = 404;
    const refused = await post(report);
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.equal("post-report: the webhook answered 404, so the message is not posted\n");
    answer = 302;
    expect((await post(report)).exitCode).to.equal(1);
    server.close();
    server.closeAllConnections();
    const unreachable = await post(report, `http://127.0.0.1:1/services/${SECRET}`);
    expect(unreachable.exitCode).to.equal(1);
    expect(unreachable.stderr).to.match(/^post-report: the message is not posted \(\w+\)\n$/);
  });

  for (const webhook of ["", "SENTINEL", "ftp://SENTINEL", "http://example.com/SENTINEL"]) {
    it(`ends with 2 when the address is ${JSON.stringify(webhook)}`, async () => {
      const { exitCode, stderr, texts } = await post(reportOf(NIGHT), webhook);
      expect(exitCode).to.equal(2);
      expect(stderr).to.contain("REPORT_WEBHOOK_URL must be");
      expect(texts).to.deep.equal([]);
    });
  }
});
