import { expect } from "chai";
import { getControlPlane } from "../../../provider/lookups/program-look-ups.js";
import { failureOf, lookUpScene } from "./look-up-scene.js";

const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const OTHER = "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10";
const MISSING = "3c1f52c0-6f0f-4d7b-8f43-9d6e6d8f1c11";

describe("a look-up of one control plane", () => {
  const scene = lookUpScene([
    { id: ID, name: "edge", labels: { team: "a" }, createdAt: "2026-01-05T10:00:00Z" },
    { id: OTHER, name: "edge-eu" },
  ]);
  const edge = () => ({
    id: ID,
    name: "edge",
    labels: { team: "a" },
    clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
    createdAt: "2026-01-05T10:00:00.000Z",
    baseUrl: scene().emulator.baseUrl,
  });

  it("finds it by its id, in any case", async () => {
    expect(await getControlPlane({ id: ID.toUpperCase() })).to.deep.equal(edge());
  });

  it("finds it by its whole name", async () => {
    expect(await getControlPlane({ name: "edge" })).to.deep.equal(edge());
    const [request, ...more] = scene().emulator.requests;
    expect(new URLSearchParams(request?.path).get("filter[name][eq]")).to.equal("edge");
    expect(more).to.deep.equal([]);
  });

  it("asks at the address that the arguments name", async () => {
    const { emulator, configure } = scene();
    configure({ "konnect:baseUrl": "" });
    expect((await getControlPlane({ id: ID, baseUrl: emulator.baseUrl })).name).to.equal("edge");
  });

  for (const end of ["succeeds", "fails"]) {
    it(`no longer counts as waiting when it ${end} after a retry, so that later retries have lines of their own`, async () => {
      const { emulator, lines } = scene();
      const ids = [1, 2, 3, 4, 5, 6].map((n) => `9524ec7d-36d9-465d-a8c5-00000000000${n}`);
      for (const id of ids) {
        if (end === "succeeds") emulator.add({ id, name: "plane" });
        emulator.script({}, { status: 503, headers: { "retry-after": "0" } });
        const found = await getControlPlane({ id }).catch(() => undefined);
        expect(found?.id).to.equal(end === "succeeds" ? id : undefined);
      }
      expect(lines).to.have.length(6);
      for (const line of lines) expect(line).to.match(/^503, retry 2 of 10 in /);
    });
  }

  it("sends nothing when a setting is unusable", async () => {
    scene().configure({ "konnect:maxAttempts": "many" });
    const { message } = await failureOf(getControlPlane({ id: ID }));
    expect(message).to.match(
      /^the control planes at \S+ could not be read: stack configuration konnect:maxAttempts must be /,
    );
    expect(scene().emulator.requests).to.deep.equal([]);
  });

  it("fails by an id that the service does not know", async () => {
    const { message } = await failureOf(getControlPlane({ id: MISSING }));
    expect(message).to.match(new RegExp(`^404 .*: control plane ${MISSING} was not found\n`));
  });

  it("fails by an id when a 404 did not come from the service", async () => {
    scene().emulator.script({}, { status: 404, body: "<html>nothing here</html>" });
    const { message } = await failureOf(getControlPlane({ id: ID }));
    expect(message).to.match(/^404 Not Found, not from the service: /);
  });

  it("fails by a name that nothing has, and lists the names that contain it", async () => {
    const { message } = await failureOf(getControlPlane({ name: "edge-" }));
    expect(message).to.equal(
      [
        `Not found: no control plane at ${scene().emulator.baseUrl} is named "edge-"`,
        "  Names that contain it:",
        `  - control plane "edge-eu" (${OTHER}), 0 min old`,
        "",
        "  next      correct the name or the address; a token of another organization, or one that may not list it, gets the same answer",
      ].join("\n"),
    );
  });

  it("lists names that contain it in any case, sorted, and no others, when the service ignores the filter", async () => {
    const { emulator } = scene();
    const ids = ["c", "a", "b"].map((letter) => ID.replace("9524ec7d", `9524ec7${letter}`));
    const names = ["plane-B", "Plane-a", "other"];
    const data = ids.map((id, at) => ({ ...emulator.controlPlanes.get(OTHER), id, name: names[at] }));
    const body = { meta: { page: { number: 1, size: 100, total: 3 } }, data };
    emulator.script({ operation: "list-control-planes" }, {}, { body });
    const { message } = await failureOf(getControlPlane({ name: "plane-" }));
    expect(message.match(/(?<=^ {2}- control plane ")[^"]+/gm)).to.deep.equal(["Plane-a", "plane-B"]);
    const [, similar] = emulator.requests;
    expect(new URLSearchParams(similar?.path).get("filter[name][contains]")).to.equal("plane-");
  });

  it("fails by a name that nothing has, also when similar names cannot be listed", async () => {
    scene().emulator.script({ operation: "list-control-planes" }, {}, { status: 403 });
    const { message } = await failureOf(getControlPlane({ name: "edge-" }));
    expect(message).to.match(/^Not found: .* is named "edge-"\n\n {2}next/);
  });

  it("fails by a name that several have, and lists them", async () => {
    const { emulator } = scene();
    const again = { ...emulator.controlPlanes.get(OTHER), name: "edge", created_at: undefined };
    const data = [emulator.controlPlanes.get(ID), again];
    emulator.script({}, { body: { meta: { page: { number: 1, size: 100, total: 2 } }, data } });
    const { message } = await failureOf(getControlPlane({ name: "edge" }));
    const [headline, first, second, , next] = message.split("\n");
    expect(headline).to.equal(`Not unique: 2 control planes at ${emulator.baseUrl} are named "edge"`);
    expect(first).to.equal(`  - control plane "edge" (${OTHER}), of unknown age`);
    expect(second).to.match(new RegExp(`^ {2}- control plane "edge" \\(${ID}\\), \\d+ d old$`));
    expect(next).to.equal("  next      use the id of the one that is meant, then run again");
  });

  it("does not take another control plane for it when the service ignores the name", async () => {
    const { emulator } = scene();
    const data = [...emulator.controlPlanes.values()];
    emulator.script({}, { body: { meta: { page: { number: 1, size: 100, total: 2 } }, data } });
    expect((await getControlPlane({ name: "edge" })).id).to.equal(ID);
  });

  const refused: readonly (readonly [title: string, args: object, reason: string])[] = [
    ["neither an id nor a name", { region: "eu" }, "exactly one of id and name is required"],
    ["an id and a name", { id: ID, name: "edge" }, "exactly one of id and name is required"],
    ["a malformed id", { id: "edge" }, "id must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458"],
    [
      "an id that is no string",
      { id: 7 },
      "id must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458",
    ],
    ["an empty name", { name: "" }, "name must be a string that is not empty"],
    ["a name that is no string", { name: 7 }, "name must be a string that is not empty"],
    [
      "an unknown argument",
      { id: ID, labels: {} },
      "labels should not exist; allowed are id, name, region, baseUrl (rule unknown_property)",
    ],
    [
      "two addresses",
      { id: ID, region: "eu", baseUrl: "https://eu.api.konghq.com/v2" },
      "region cannot be set together with baseUrl (rule invalid)",
    ],
  ];
  for (const [title, args, reason] of refused) {
    it(`is refused with ${title}, and sends nothing`, async () => {
      const { message } = await failureOf(getControlPlane(args));
      expect(message).to.equal(
        `getControlPlane: ${reason}\n\n  next      correct that, then run again; nothing was sent`,
      );
      expect(scene().emulator.requests).to.deep.equal([]);
    });
  }
});
