import { expect } from "chai";
import { partOf, timeOfParts } from "../../../tools/host-profile/profile-parts.js";

const at = (url: string, functionName = "f") => ({ functionName, url });
const node = at("node:internal/event_target");
const own = at("file:///clone/provider/dist/service/client.js");
const axios = at("/clone/node_modules/axios/dist/node/axios.cjs");
const grpc = at("/clone/node_modules/@grpc/grpc-js/build/src/server.js");
const root = at("", "(root)");
const load = at("node:internal/modules/cjs/loader", "Module._load");

describe("the parts of the host's time", () => {
  it("attributes Node's work to the code that called it", () => {
    expect(partOf([node, own, root])).to.equal("this package and p-retry, and what Node does for them");
    expect(partOf([node, axios, own, root])).to.equal("axios, and what Node does for it");
    expect(partOf([node, grpc, root])).to.equal("Pulumi's calls: gRPC and protobuf");
    expect(partOf([node, root])).to.equal("Node's sockets, timers and promises");
  });

  it("knows this package and p-retry when they are installed", () => {
    for (const name of ["pulumi-konnect-control-planes", "p-retry"]) {
      const installed = at(`/project/node_modules/${name}/index.js`);
      expect(partOf([installed, root])).to.equal("this package and p-retry, and what Node does for them");
    }
  });

  it("distinguishes the start of the host from what is loaded for a request", () => {
    expect(partOf([node, load, grpc, root])).to.equal("start of Pulumi's host");
    expect(partOf([at("node:fs"), load, own, root])).to.equal("loading this package and axios");
    expect(partOf([axios, load, root])).to.equal("loading this package and axios");
  });

  it("knows idle time and garbage collection", () => {
    expect(partOf([at("", "(idle)"), root])).to.equal("idle");
    expect(partOf([at("", "(garbage collector)"), own, root])).to.equal("garbage collection");
  });

  it("adds up the time between samples", () => {
    const frame = { scriptId: "1", lineNumber: 0, columnNumber: 0 };
    const times = timeOfParts({
      nodes: [
        { id: 1, callFrame: { ...frame, ...root }, children: [2, 3] },
        { id: 2, callFrame: { ...frame, ...own }, children: [4] },
        { id: 3, callFrame: { ...frame, ...at("", "(idle)") } },
        { id: 4, callFrame: { ...frame, ...node } },
      ],
      startTime: 0,
      endTime: 10_000,
      samples: [4, 3, 2],
      timeDeltas: [1_000, 5_000, 4_000],
    });
    expect(times.get("this package and p-retry, and what Node does for them")).to.equal(5);
    expect(times.get("idle")).to.equal(5);
    expect(times.get("garbage collection")).to.equal(0);
  });
});
