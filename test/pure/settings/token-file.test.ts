import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { readTokenFile } from "../../../provider/settings/token-setting.js";

describe("a token file", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "token-file-test-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const fileWith = (content: string | Buffer, mode = 0o600): string => {
    const file = path.join(folder, "token");
    writeFileSync(file, content);
    chmodSync(file, mode);
    return file;
  };
  const codeOf = (file: string): unknown => {
    try {
      readTokenFile(file);
    } catch (error) {
      if (error instanceof Error && "code" in error) return error.code;
      throw error;
    }
    throw new Error("the file was read");
  };

  it("is read as it is", () => {
    expect(readTokenFile(fileWith("spat_file\r\n")).text).to.equal("spat_file\r\n");
    expect(readTokenFile(fileWith("")).text).to.equal("");
    expect(readTokenFile(fileWith("spat_ö")).text).to.equal("spat_ö");
  });

  it("may be a link to a file, as Kubernetes mounts its secrets", () => {
    const link = path.join(folder, "link");
    symlinkSync(fileWith("spat_file"), link);
    expect(readTokenFile(link).text).to.equal("spat_file");
  });

  for (const [mode, isReadableByOthers] of [
    [0o600, false],
    [0o400, false],
    [0o640, false],
    [0o604, true],
    [0o644, true],
  ] as const) {
    it(`${isReadableByOthers ? "is" : "is not"} readable by others with mode ${mode.toString(8)}`, () => {
      expect(readTokenFile(fileWith("spat_file", mode))).to.include({ isReadableByOthers });
    });
  }

  it("may hold 64 KiB, and not a byte more", () => {
    expect(readTokenFile(fileWith("x".repeat(65_536))).text).to.have.length(65_536);
    expect(codeOf(fileWith("x".repeat(65_537)))).to.equal("larger than 64 KiB");
    expect(codeOf(fileWith(Buffer.alloc(10_000_000)))).to.equal("larger than 64 KiB");
  });

  it("has to exist", () => {
    expect(codeOf(path.join(folder, "missing"))).to.equal("ENOENT");
  });

  it("cannot be a folder", () => {
    expect(codeOf(folder)).to.equal("not a regular file");
  });

  for (const device of ["/dev/zero", "/dev/null"]) {
    it(`cannot be the device ${device}`, () => {
      expect(codeOf(device)).to.equal("not a regular file");
    });
  }

  it("cannot be a FIFO, which is refused at once and does not block the process", () => {
    const fifo = path.join(folder, "fifo");
    execFileSync("mkfifo", [fifo], { timeout: 5_000 });
    // Bounds the test: a blocked open or read goes on when another process opens the FIFO and closes it.
    const rescue = spawn("sh", ["-c", `sleep 2; exec 3<>"$1"; sleep 0.2`, "sh", fifo], { stdio: "ignore" });
    try {
      const startedMs = performance.now();
      expect(codeOf(fifo)).to.equal("not a regular file");
      expect(performance.now() - startedMs).to.be.lessThan(1_000);
    } finally {
      rescue.kill("SIGKILL");
    }
  });
});
