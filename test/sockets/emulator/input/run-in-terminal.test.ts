import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { runInTerminal } from "../../../../emulator/run-in-terminal.js";
import { failureOf, send } from "../send-request.js";
import { waitUntil } from "../wait-until.js";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

describe("the emulator in a terminal", () => {
  const stops: AbortController[] = [];
  afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));

  const folders: string[] = [];
  afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

  /** Writes a seed file that is removed after the test, and returns its path. */
  const writeSeedFile = (seeds: readonly object[]): string => {
    const folder = mkdtempSync(path.join(tmpdir(), "seeds-"));
    folders.push(folder);
    const file = path.join(folder, "seeds.json");
    writeFileSync(file, JSON.stringify(seeds));
    return file;
  };

  /** Runs the emulator until `stop` aborts or the test ends. */
  const startRun = (args: string, ...more: readonly string[]) => {
    const lines: string[] = [];
    const errors: string[] = [];
    const stop = new AbortController();
    stops.push(stop);
    const exitCode = runInTerminal([...args.split(" "), ...more], {
      print: (line) => lines.push(line),
      printError: (line) => errors.push(line),
      stopSignal: stop.signal,
    });
    return { lines, errors, stop, exitCode };
  };

  /** Runs the emulator, and waits until it has printed how to use it. */
  const startedRun = async (args: string, ...more: readonly string[]) => {
    const run = startRun(args, ...more);
    await waitUntil(() => run.lines.at(-1) === "", "the emulator prints how to use it");
    const [, baseUrl = ""] = /=(.*)/.exec(run.lines[2] ?? "") ?? [];
    const [, token = ""] = /=(.*)/.exec(run.lines[3] ?? "") ?? [];
    return { ...run, baseUrl, token };
  };

  it("prints its address, two export lines, and the id and name of each control plane", async () => {
    const { lines, baseUrl } = await startedRun("--control-planes 2");
    expect(baseUrl).to.match(/^http:\/\/127\.0\.0\.1:\d+\/v2$/);
    expect(lines).to.have.length(8);
    expect(lines[0]).to.contain(`runs at ${baseUrl}. Ctrl-C stops it, and nothing is kept.`);
    expect(lines[2]).to.equal(`export KONNECT_SERVER_URL=${baseUrl}`);
    expect(lines[3]).to.match(/^export KONNECT_SPAT=spat_demo0+$/);
    expect(lines[5]).to.match(new RegExp(`^${UUID} {2}demo-1$`));
    expect(lines[6]).to.match(new RegExp(`^${UUID} {2}demo-2$`));
  });

  it("accepts the printed token, and prints one line for each request", async () => {
    const { lines, baseUrl, token } = await startedRun("--control-planes 1 --latency-ms 30");
    const id = lines[5]?.split(" ")[0] ?? "";
    expect((await send(baseUrl, { method: "DELETE", path: `/control-planes/${id}`, token })).status).to.equal(
      204,
    );
    await waitUntil(() => lines.length === 8, "the emulator prints a line for the request");
    const [, tookMs] =
      new RegExp(`^DELETE /v2/control-planes/${id} 204 (\\d+) ms$`).exec(lines[7] ?? "") ?? [];
    expect(Number(tookMs), lines[7]).to.be.within(29, 5_000);
  });

  it("prints no answer for a request whose client went away before the answer", async () => {
    const { lines, baseUrl } = await startedRun("--control-planes 0 --latency-ms 5000");
    const client = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    client.on("error", () => undefined);
    client.write("GET /v2 HTTP/1.1\r\nhost: x\r\n\r\n", () => client.destroy());
    await waitUntil(() => lines.length === 7, "the emulator prints a line for the request");
    expect(lines[6]).to.match(/^GET \/v2 no answer \d+ ms$/);
  });

  it("listens on the given port, and ends with exit code 1 and one line when the port is in use", async () => {
    const first = await startedRun("--control-planes 0");
    const { port } = new URL(first.baseUrl);
    const second = startRun(`--port ${port}`);
    expect(await second.exitCode).to.equal(1);
    expect(second.errors).to.deep.equal([
      `emulator: --port ${port} is in use; choose another port, or leave out --port for a free one`,
    ]);
    expect(second.lines).to.deep.equal([]);
    first.stop.abort();
    await first.exitCode;
    expect((await startedRun(`--port ${port}`)).baseUrl).to.equal(first.baseUrl);
  });

  it("ends with exit code 0 and closes its port when the user stops it", async () => {
    const run = await startedRun("--control-planes 0");
    run.stop.abort();
    expect(await run.exitCode).to.equal(0);
    expect(await failureOf(send(run.baseUrl, {}))).to.equal("ECONNREFUSED");
  });

  it("ends with exit code 2 and one line when the command line is wrong", async () => {
    const { lines, errors, exitCode } = startRun("--port x");
    expect(await exitCode).to.equal(2);
    expect(errors).to.deep.equal(['emulator: --port must be a whole number from 0 to 65535, not "x"']);
    expect(lines).to.deep.equal([]);
  });

  it("starts with the control planes of a seed file", async () => {
    const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
    const file = writeSeedFile([{ id, name: "preview-1", age: "7d", labels: { env: "preview" } }]);
    const { lines, baseUrl, token } = await startedRun(`--seed ${file}`);
    expect(lines.slice(5)).to.deep.equal([`${id}  preview-1`, ""]);
    const { text } = await send(baseUrl, { token, path: `/control-planes/${id}` });
    expect(JSON.parse(text)).to.deep.include({ name: "preview-1", labels: { env: "preview" } });
  });

  it("ends with exit code 2 and one line for each of the first 20 mistakes of a seed file", async () => {
    const file = writeSeedFile(Array.from({ length: 22 }, () => ({})));
    const { lines, errors, exitCode } = startRun(`--seed ${file}`);
    expect(await exitCode).to.equal(2);
    expect(errors).to.have.length(21);
    expect(errors[19]).to.equal(
      `emulator: --seed ${file}: entry 20: name is missing; it must be a string that is not empty`,
    );
    expect(errors[20]).to.equal(`emulator: --seed ${file}: 2 further mistakes`);
    expect(lines).to.deep.equal([]);
  });

  it("scripts the faults of the command line, in their order", async () => {
    const faults = ["--fault", "POST core reset-after", "--fault", "GET 503 x2"];
    const { baseUrl, token } = await startedRun("--control-planes 1", ...faults);
    const get = async () => (await send(baseUrl, { token })).status;
    const create = (name: string) =>
      send(baseUrl, {
        token,
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name }),
      });
    expect((await create("other")).status).to.equal(201);
    expect(await failureOf(create("core"))).to.equal("ECONNRESET");
    expect((await create("core")).status).to.equal(409);
    expect([await get(), await get(), await get()]).to.deep.equal([503, 503, 200]);
  });

  it("ends with exit code 2 and one line when a fault is wrong", async () => {
    const { lines, errors, exitCode } = startRun("--fault", "DELETE 99");
    expect(await exitCode).to.equal(2);
    expect(errors).to.deep.equal([
      'emulator: --fault "DELETE 99": "99" must be a status from 200 to 599, reset, reset-after or hang; ' +
        "the form is METHOD [name or id] STATUS|reset|reset-after|hang [xN] [after Ns]",
    ]);
    expect(lines).to.deep.equal([]);
  });

  it("prints the address of the control with --control, and has none without it", async () => {
    const { lines, baseUrl } = await startedRun("--control-planes 0 --control");
    const control = `${new URL(baseUrl).origin}/__control`;
    await waitUntil(() => lines.length === 8, "the emulator prints the address of the control");
    expect(lines[6]).to.equal(`The control answers at ${control} for programs on this machine.`);
    expect((await send(baseUrl, { path: "/__control/faults" })).text).to.equal('{"pending":0}');
    const without = await startedRun("--control-planes 0");
    expect((await send(without.baseUrl, { path: "/__control/faults" })).status).to.equal(404);
  });

  it("prints the help text and ends with exit code 0 on --help", async () => {
    const { lines, errors, exitCode } = startRun("--help");
    expect(await exitCode).to.equal(0);
    expect(lines.join("\n")).to.contain("Usage: npm run emulator -- [flags]");
    expect(errors).to.deep.equal([]);
  });
});
