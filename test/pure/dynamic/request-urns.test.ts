import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import provider from "@pulumi/pulumi/proto/provider_pb";
import { expect } from "chai";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { watchRequests } from "../../../provider/dynamic/host-process.js";
import { ROOT } from "../../../tools/repository.js";
import { urnOf } from "../hooks/fake-context.js";

const HOST_SCRIPT = createRequire(path.join(ROOT, "index.js")).resolve("@pulumi/pulumi/cmd/dynamic-provider");

describe("the URNs of the host's requests", () => {
  it("are found by the properties that the host reads and passes on", () => {
    const urns = watchRequests(HOST_SCRIPT);
    const struct = () => Struct.fromJavaScript({ name: "edge" });
    const read: readonly (readonly [urn: string, properties: object | undefined])[] = [
      ...[new provider.CheckRequest(), new provider.DiffRequest(), new provider.UpdateRequest()].map(
        (request, n) => {
          request.setUrn(urnOf(`news-${n}`));
          request.setNews(struct());
          return [urnOf(`news-${n}`), request.getNews()?.toJavaScript()] as const;
        },
      ),
      ...[new provider.CreateRequest(), new provider.ReadRequest(), new provider.DeleteRequest()].map(
        (request, n) => {
          request.setUrn(urnOf(`properties-${n}`));
          request.setProperties(struct());
          return [urnOf(`properties-${n}`), request.getProperties()?.toJavaScript()] as const;
        },
      ),
    ];
    for (const [urn, properties] of read) {
      expect(properties).to.deep.equal({ name: "edge" });
      expect(urns.of(properties ?? {})).to.equal(urn);
    }
    expect(urns.of({ name: "edge" }), "equal properties of no request").to.equal(undefined);
    expect(new provider.CheckRequest().getNews(), "a request without properties").to.equal(undefined);
  });

  const others: readonly (readonly [what: string, code: string | undefined])[] = [
    ["that cannot be found", undefined],
    ["without requests", "module.exports = {};"],
    ["without readers", "module.exports = { CheckRequest: class {} };"],
    ["that cannot be loaded", "throw new Error('no');"],
  ];
  for (const [what, code] of others) {
    it(`are not known in a host with generated code ${what}, and nothing fails`, () => {
      const folder = mkdtempSync(path.join(tmpdir(), "request-urns-"));
      try {
        mkdirSync(path.join(folder, "proto"));
        if (code !== undefined) writeFileSync(path.join(folder, "proto", "provider_pb.js"), code);
        const script = path.join(folder, "cmd", "dynamic-provider", "index.js");
        expect(watchRequests(script).of({})).to.equal(undefined);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
