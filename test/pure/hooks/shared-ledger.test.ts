import { expect } from "chai";
import {
  type Declaration,
  Ledger,
  type LedgerRecord,
  type OtherLedgers,
} from "../../../provider/hooks/ledger.js";
import { EU, ID, OTHER_ID, urnOf } from "./fake-context.js";

const place = { id: ID, address: EU };
const [edge, renamed] = [urnOf("edge"), urnOf("renamed")];
const adopted: Declaration = { kind: "adopted", ids: [ID], address: EU };

/** The provider processes of one run. What one publishes, the others read when they ask the next time. */
class Processes {
  readonly #published: { readonly process: string; readonly record: LedgerRecord }[] = [];
  /** Set while what is published does not arrive. */
  isLate = false;

  start(process: string): Ledger {
    let read = 0;
    const others: OtherLedgers = {
      publish: (record) => void this.#published.push({ process, record }),
      news: () => {
        if (this.isLate) return [];
        const news = this.#published.slice(read).filter((entry) => entry.process !== process);
        read = this.#published.length;
        return news;
      },
    };
    return new Ledger(others);
  }
}

describe("the ledgers of several provider processes", () => {
  let processes: Processes;
  let first: Ledger;
  let second: Ledger;
  beforeEach(() => {
    processes = new Processes();
    first = processes.start("first");
    second = processes.start("second");
  });

  it("keep what was renamed from one provider to another", () => {
    second.declare(renamed, adopted);
    expect(first.fateOf(edge, place), "not adopted yet").to.deep.equal({
      outcome: "refused",
      because: "declared",
      by: renamed,
    });
    second.hold(renamed, EU, [ID], "create");
    expect(first.fateOf(edge, place)).to.deep.equal({ outcome: "kept", by: renamed });
  });

  it("find what another process declares at the same time", () => {
    const published: { readonly process: string; readonly record: LedgerRecord }[] = [];
    const ledger = new Ledger({
      // The other process declares the same before this one can have read it.
      publish: () =>
        void new Ledger({
          publish: (record) => void published.push({ process: "other", record }),
          news: () => [],
        }).declare(renamed, adopted),
      news: () => published.splice(0),
    });
    expect(ledger.declare(edge, adopted)).to.deep.equal([{ id: ID, by: renamed }]);
  });

  it("keep what was renamed although the first call of the other process had no URN", () => {
    second.declare(undefined, adopted);
    expect(first.fateOf(edge, place)).to.include({ outcome: "refused", by: undefined });
    second.declare(renamed, adopted);
    second.hold(renamed, EU, [ID], "create");
    expect(first.fateOf(edge, place)).to.deep.equal({ outcome: "kept", by: renamed });
  });

  it("know two resources for one control plane, in either order", () => {
    expect(first.declare(edge, adopted)).to.deep.equal([]);
    expect(second.declare(renamed, adopted)).to.deep.equal([{ id: ID, by: edge }]);
    expect(first.rivals(edge, [ID])).to.deep.equal([{ id: ID, by: renamed }]);
  });

  it("know two resources that create the same name", () => {
    const created: Declaration = { kind: "created", address: EU, name: "edge" };
    first.declare(edge, created);
    expect(second.declare(renamed, created)).to.deep.equal([{ id: undefined, by: edge }]);
  });

  it("take one URN for one resource, which changes its provider", () => {
    first.declare(edge, adopted);
    first.hold(edge, EU, [ID], "diff");
    expect(second.declare(edge, adopted), "no rival of itself").to.deep.equal([]);
    expect(first.fateOf(edge, place), "not adopted again yet").to.deep.equal({
      outcome: "refused",
      because: "replaced",
      by: edge,
    });
    second.hold(edge, EU, [ID], "create");
    expect(first.fateOf(edge, place)).to.deep.equal({ outcome: "kept", by: edge });
  });

  it("let go what left a set that changes its provider", () => {
    second.declare(edge, { kind: "set", ids: [ID], address: EU });
    expect(first.fateOfSet(edge, EU, [ID, OTHER_ID])).to.include({ outcome: "refused", because: "replaced" });
    second.hold(edge, EU, [ID], "create");
    expect(first.fateOfSet(edge, EU, [ID, OTHER_ID])).to.deep.equal({ outcome: "moved", to: edge });
  });

  it("leave it unclear whether a set is the new one of another process", () => {
    second.declare(renamed, { kind: "set", ids: [], address: EU });
    second.hold(renamed, EU, [], "create");
    expect(first.fateOfSet(edge, EU, [ID])).to.deep.equal({
      outcome: "refused",
      because: "unclear",
      by: renamed,
    });
  });

  it("refuse what the program refers to in another process", () => {
    second.refer(renamed, ID);
    expect(first.fateOf(edge, place)).to.deep.equal({
      outcome: "refused",
      because: "referred to",
      by: renamed,
    });
  });

  it("take a record that arrives late into account from then on", () => {
    processes.isLate = true;
    second.declare(renamed, adopted);
    second.hold(renamed, EU, [ID], "create");
    expect(first.fateOf(edge, place)).to.deep.equal({ outcome: "delete" });
    processes.isLate = false;
    expect(first.fateOf(edge, place)).to.deep.equal({ outcome: "kept", by: renamed });
  });

  it("take over what is new before they note what they are told, so that the last word counts", () => {
    processes.isLate = true;
    second.declare(edge, adopted);
    second.hold(edge, EU, [ID], "diff");
    processes.isLate = false;
    first.declare(edge, { ...adopted, ids: [OTHER_ID] });
    expect(first.fateOf(renamed, place), "given up").to.deep.equal({ outcome: "delete" });
  });

  it("keep what calls without a URN declare in each process to that process", () => {
    first.declare(undefined, adopted);
    second.declare(undefined, adopted);
    first.declare(edge, adopted);
    first.declare(edge, { ...adopted, ids: [OTHER_ID] });
    expect(first.fateOf(edge, place), "the other process declares it").to.deep.equal({
      outcome: "refused",
      because: "declared",
      by: undefined,
    });
  });

  it("tell each other no address and no name in clear", () => {
    const told: LedgerRecord[] = [];
    const ledger = new Ledger({ publish: (record) => void told.push(record), news: () => [] });
    ledger.declare(edge, { kind: "created", address: EU, name: "Payments" });
    ledger.hold(edge, EU, [ID], "create");
    ledger.refer(renamed, OTHER_ID);
    expect(told.map(({ type, urn }) => [type, urn])).to.deep.equal([
      ["declared", edge],
      ["held", edge],
      ["declared", renamed],
    ]);
    expect(JSON.stringify(told)).not.to.match(/payments|konghq/i);
  });

  it("note nothing that cannot be passed on", () => {
    const failure = new Error("no space is left");
    const publish = () => {
      throw failure;
    };
    const ledger = new Ledger({ publish, news: () => [] });
    expect(() => ledger.declare(edge, adopted)).to.throw(failure);
    expect(ledger.isDeclared(edge)).to.equal(false);
  });

  it("answer nothing while it is not known what the others declare", () => {
    const failure = new Error("the folder cannot be read");
    const news = () => {
      throw failure;
    };
    const ledger = new Ledger({ publish: () => undefined, news });
    expect(() => ledger.fateOf(edge, place)).to.throw(failure);
    expect(() => ledger.fateOfSet(edge, EU, [ID])).to.throw(failure);
    expect(() => ledger.rivals(edge, [ID])).to.throw(failure);
    expect(() => ledger.declare(edge, adopted)).to.throw(failure);
  });
});
