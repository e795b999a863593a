import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { startEmulator } from "../../../../emulator/index.js";
import { readSeedFile } from "../../../../emulator/input/seed-file.js";

const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const other = "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10";

describe("a seed file of the emulator", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "seed-file-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const readText = (text: string) => {
    const file = path.join(folder, "seeds.json");
    writeFileSync(file, text);
    return readSeedFile(file);
  };
  const mistakesOf = (text: string): readonly string[] => {
    const read = readText(text);
    return read.kind === "mistakes" ? read.mistakes : [];
  };

  it("may use every field of a seed", async () => {
    const seeds = [
      {
        id,
        name: "preview-1",
        labels: { env: "preview" },
        description: "",
        createdAt: "2026-01-05T10:00:00Z",
        clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
        cloudGateway: false,
        authType: "pki_client_certs",
        proxyUrls: [{ host: "example.com", port: 443, protocol: "https" }],
        members: [other.toUpperCase()],
        nodes: [
          {
            hostname: "dp-1",
            lastPingSecondsAgo: 30,
            type: "kong-proxy",
            version: "3.11.0.0",
            connected: false,
          },
        ],
        entities: {
          services: 1,
          routes: 2,
          plugins: 3,
          consumers: 4,
          upstreams: 5,
          certificates: 6,
          vaults: 7,
        },
      },
      { id: other, name: "preview-2", age: "36h", clusterType: "CLUSTER_TYPE_NEXT" },
    ];
    const read = readText(JSON.stringify(seeds));
    expect(read).to.deep.equal({ kind: "seeds", seeds });
    if (read.kind !== "seeds") return;
    const emulator = await startEmulator({ controlPlanes: read.seeds });
    expect([...emulator.controlPlanes.values()].map(({ name }) => name)).to.deep.equal([
      "preview-1",
      "preview-2",
    ]);
    expect(emulator.membersOf(id)).to.deep.equal([other]);
    expect(emulator.controlPlanes.get(id)?.config).to.deep.include({
      auth_type: "pki_client_certs",
      proxy_urls: [{ host: "example.com", port: 443, protocol: "https" }],
    });
    await emulator.close();
  });

  it("may hold an empty list", () => {
    expect(readText("[]")).to.deep.equal({ kind: "seeds", seeds: [] });
  });

  const list = 'a list of control planes, such as [{ "name": "preview-1", "age": "7d" }]';
  const fields =
    "id, name, labels, description, authType, proxyUrls, members, nodes, entities, createdAt, age, clusterType, cloudGateway";
  const invalid: readonly (readonly [text: string, ...mistakes: string[]])[] = [
    ["{}", `the file must be ${list}`],
    ['["a"]', 'entry 1: it must be an object that describes a control plane, not "a"'],
    ['[{"name":"a"},{}]', "entry 2: name is missing; it must be a string that is not empty"],
    ['[{"name":""}]', 'entry 1 (""): name must be a string that is not empty, not ""'],
    ['[{"name":7}]', "entry 1: name must be a string that is not empty, not 7"],
    ['[{"name":"a","id":"x"}]', 'entry 1 ("a"): id must be a UUID, not "x"'],
    [`[{"name":"a","id":"urn:uuid:${id}"}]`, `entry 1 ("a"): id must be a UUID, not "urn:uuid:${id}"`],
    [
      '[{"name":"a","createdAt":"2026-01-05 10:00:00Z"}]',
      'entry 1 ("a"): createdAt must be a time in the form of RFC 3339, such as 2026-01-05T10:00:00Z, ' +
        'not "2026-01-05 10:00:00Z"',
    ],
    ['[{"name":"a","agee":"1d"}]', `entry 1 ("a"): unknown field "agee"; allowed are ${fields}`],
    [
      '[{"name":"a","authType":"password"}]',
      'entry 1 ("a"): authType must be one of pinned_client_certs, pki_client_certs, not "password"',
    ],
    [
      '[{"name":"a","proxyUrls":[{"host":"a","port":0}]}]',
      'entry 1 ("a"): proxyUrls[0].protocol is missing; it must be a string',
      'entry 1 ("a"): proxyUrls[0].port must be a whole number from 1 to 1000000000, not 0',
    ],
    ['[{"name":"a","members":["b"]}]', 'entry 1 ("a"): members[0] must be a UUID, not "b"'],
    [
      `[{"name":"a","members":["${id}"]}]`,
      'entry 1 ("a"): members need the clusterType CLUSTER_TYPE_CONTROL_PLANE_GROUP',
      `entry 1 ("a"): members must be ids of other entries, but no entry has the id ${id}`,
    ],
    [
      '[{"name":"a","age":"7 days"}]',
      'entry 1 ("a"): age must be hours, days or weeks, such as 36h, 7d or 2w, not "7 days"',
    ],
    [
      '[{"name":"a","createdAt":"2026-02-30T10:00:00Z"}]',
      'entry 1 ("a"): createdAt must be a time in the form of RFC 3339, such as 2026-01-05T10:00:00Z, ' +
        'not "2026-02-30T10:00:00Z"',
    ],
    [
      '[{"name":"a","age":"1d","createdAt":"2026-01-05T10:00:00Z"}]',
      'entry 1 ("a"): createdAt and age exclude each other',
    ],
    [
      '[{"name":"a","clusterType":""}]',
      'entry 1 ("a"): clusterType must be a string that is not empty, not ""',
    ],
    ['[{"name":"a","cloudGateway":"yes"}]', 'entry 1 ("a"): cloudGateway must be true or false, not "yes"'],
    [
      '[{"name":"a","labels":["env"]}]',
      'entry 1 ("a"): labels must be an object with a string for each label, not ["env"]',
    ],
    ['[{"name":"a","labels":{"a/b~c":1}}]', 'entry 1 ("a"): labels.a/b~c must be a string, not 1'],
    ['[{"name":"a","nodes":{}}]', 'entry 1 ("a"): nodes must be a list of nodes, not {}'],
    [
      '[{"name":"a","nodes":[{"hostname":"dp-1","lastPingSecondsAgo":1},{"hostname":"dp-2"}]}]',
      'entry 1 ("a"): nodes[1].lastPingSecondsAgo is missing; it must be a whole number from 0 to 1000000000',
    ],
    [
      '[{"name":"a","nodes":[{"hostname":"dp-1","lastPingSecondsAgo":-1,"ping":1}]}]',
      'entry 1 ("a"): unknown field "nodes[0].ping"; allowed are hostname, lastPingSecondsAgo, type, version, connected',
      'entry 1 ("a"): nodes[0].lastPingSecondsAgo must be a whole number from 0 to 1000000000, not -1',
    ],
    [
      '[{"name":"a","entities":{"routes":10001}}]',
      'entry 1 ("a"): entities.routes must be a whole number from 0 to 10000, not 10001',
    ],
    [
      '[{"name":"a","entities":{"nodes":1}}]',
      'entry 1 ("a"): unknown field "entities.nodes"; allowed are services, routes, plugins, consumers, ' +
        "upstreams, certificates, targets, consumer_groups, ca_certificates, snis, vaults, keys, key-sets, " +
        "partials, custom-plugins, plugin-schemas, config-stores, acls, basic-auths, hmac-auths, jwts, key-auths, " +
        "mtls-auths, degraphql_routes, graphql-rate-limiting-advanced/costs",
    ],
    [
      `[{"name":"a","id":"${id}"},{"name":"b","id":"${id.toUpperCase()}"}]`,
      'entry 2 ("b"): id must be unique, but entry 1 has it too',
    ],
    [
      `[{"name":"a","age":1},{"name":"b","id":7}]`,
      'entry 1 ("a"): age must be hours, days or weeks, such as 36h, 7d or 2w, not 1',
      'entry 2 ("b"): id must be a UUID, not 7',
    ],
  ];
  for (const [text, ...mistakes] of invalid) {
    it(`is refused with the content ${text}`, () => {
      expect(mistakesOf(text)).to.deep.equal(mistakes);
    });
  }

  it("is refused when it is not JSON or cannot be read", () => {
    expect(mistakesOf("[{]")).to.have.length(1);
    expect(mistakesOf("[{]")[0]).to.match(/^the file is not JSON: ./);
    expect(readSeedFile(path.join(folder, "missing.json"))).to.deep.equal({
      kind: "mistakes",
      mistakes: [
        `the file cannot be read: ENOENT: no such file or directory, open '${path.join(folder, "missing.json")}'`,
      ],
    });
  });

  it("is refused with control characters escaped and long values cut", () => {
    expect(mistakesOf(JSON.stringify([{ name: "\u001b[31m", id: 1 }]))).to.deep.equal([
      'entry 1 ("\\u001b[31m"): id must be a UUID, not 1',
    ]);
    expect(mistakesOf(JSON.stringify([{ name: "a", id: "x".repeat(200) }]))).to.deep.equal([
      `entry 1 ("a"): id must be a UUID, not "${"x".repeat(79)}…`,
    ]);
  });
});
