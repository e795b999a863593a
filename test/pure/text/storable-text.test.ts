import { expect } from "chai";
import { storableName, storableText } from "../../../provider/text/safe-text.js";

describe("a name for the state", () => {
  it("is what the service sent, also where it looks like a secret", () => {
    for (const name of ["edge", "Bearer gateway", "spat_edge", "https://user@edge", " a  b "]) {
      expect(storableName(name)).to.equal(name);
    }
  });

  it("is the safe form of what a terminal or the CLI would interpret as a command", () => {
    expect(storableName("a\tb")).to.equal("a b");
    expect(storableName("<{%a")).to.equal("< {%a");
  });

  it("has at most the 256 characters that the service allows, and says how many were cut", () => {
    expect(storableName("x".repeat(256))).to.equal("x".repeat(256));
    expect(storableName("x".repeat(257))).to.equal(`${"x".repeat(220)}… (37 more characters)`);
    expect(storableName("x".repeat(100_000))).to.equal(`${"x".repeat(220)}… (99780 more characters)`);
  });

  it("stays the same when it is stored again, so that a refresh finds no change", () => {
    for (const name of ["x".repeat(257), "\u001b".repeat(256), "<{%".repeat(200), "漢".repeat(100_000)]) {
      const stored = storableName(name);
      expect(storableName(stored)).to.equal(stored);
    }
  });
});

describe("a text of a problem for the state", () => {
  it("is what the service sent, without secrets", () => {
    expect(storableText(" team::edge  is not allowed ", 80)).to.equal(" team::edge  is not allowed ");
    expect(storableText("Bearer hunter2 is not allowed", 80)).to.equal("Bearer [removed] is not allowed");
  });

  it("is the safe form of what a terminal or the CLI would interpret as a command, without secrets", () => {
    expect(storableText("No\nrole for Bearer hunter2", 80)).to.equal("No role for Bearer [removed]");
    expect(storableText("::error::x", 80)).to.equal(": :error::x");
  });

  it("has a bounded length, or says how many characters were cut", () => {
    expect(storableText("x".repeat(80), 80)).to.equal("x".repeat(80));
    expect(storableText("x".repeat(81), 80)).to.equal(`${"x".repeat(80)}… (1 more characters)`);
    expect(storableText("x".repeat(50_000), 80)).to.equal(`${"x".repeat(80)}… (49920 more characters)`);
    expect(storableText("Bearer x", 10), "longer without its secret").to.equal(
      "Bearer [re… (6 more characters)",
    );
    const secret = "s".repeat(100);
    expect(storableText(`Bearer ${secret} needs a role`, 80)).to.equal("Bearer [removed] needs a role");
  });
});
