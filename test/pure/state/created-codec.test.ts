import { expect } from "chai";
import {
  decodeCreation,
  encodeCreation,
  inputsOf,
  recordedDocument,
} from "../../../provider/state/created-codec.js";

const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const EU = "https://eu.api.konghq.com/v2";

/** What the service may answer, with every field. */
const DOCUMENT = {
  id: ID,
  name: "edge",
  description: "of the payments team",
  labels: { team: "payments" },
  clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
  authType: "pinned_client_certs",
  cloudGateway: true,
  proxyUrls: [{ host: "edge.example", port: 443, protocol: "https" }],
  controlPlaneEndpoint: "https://cp.example",
  telemetryEndpoint: "https://tp.example",
  createdAt: "2026-11-20T08:00:00.000Z",
  updatedAt: "2026-11-21T08:00:00.000Z",
} as const;

const FULL = encodeCreation({
  baseUrl: EU,
  document: DOCUMENT,
  guards: {},
  given: ["region", "labels"],
  asked: {},
});

describe("the state of a created control plane", () => {
  it("records everything that the service says", () => {
    expect(FULL).to.deep.equal({
      baseUrl: EU,
      name: "edge",
      description: "of the payments team",
      labels: { team: "payments" },
      clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
      authType: "pinned_client_certs",
      cloudGateway: true,
      proxyUrls: [{ host: "edge.example", port: 443, protocol: "https" }],
      controlPlaneEndpoint: "https://cp.example",
      telemetryEndpoint: "https://tp.example",
      createdAt: "2026-11-20T08:00:00.000Z",
      updatedAt: "2026-11-21T08:00:00.000Z",
      __origin: "created",
      __given: "labels,region",
    });
  });

  it("drops what the service no longer says, and keeps what another release recorded", () => {
    const before = {
      ...FULL,
      lastProblem: { status: 403, title: "Forbidden" },
      members: [ID],
      __asked: { cloudGateway: false },
      __provider: "text",
      region: "eu",
      quota: 7,
    };
    const document = { id: ID, name: "edge", labels: {}, proxyUrls: [] };
    expect(encodeCreation({ baseUrl: EU, document, guards: {}, given: [], asked: {} }, before)).to.deep.equal(
      {
        region: "eu",
        quota: 7,
        baseUrl: EU,
        name: "edge",
        description: "",
        labels: {},
        proxyUrls: [],
        __origin: "created",
      },
    );
  });

  it("is read again as it was recorded", () => {
    expect(recordedDocument(ID, FULL)).to.deep.equal(DOCUMENT);
    expect(decodeCreation(FULL)).to.deep.equal({
      description: "of the payments team",
      labels: { team: "payments" },
      clusterType: "CLUSTER_TYPE_CONTROL_PLANE",
      authType: "pinned_client_certs",
      cloudGateway: true,
      proxyUrls: [{ host: "edge.example", port: 443, protocol: "https" }],
      given: ["labels", "region"],
      asked: {},
    });
  });

  it("is read without the fields that are not as they were recorded", () => {
    const broken = {
      name: 7,
      description: 7,
      labels: { team: "payments", size: 7 },
      clusterType: null,
      authType: {},
      cloudGateway: "true",
      proxyUrls: "https://edge.example",
      controlPlaneEndpoint: 7,
      members: "none",
      __given: "",
      __asked: { clusterType: 7, cloudGateway: "true" },
    };
    expect(decodeCreation(broken)).to.deep.equal({
      labels: { team: "payments" },
      proxyUrls: [],
      given: [],
      asked: {},
    });
    expect(recordedDocument(ID, broken)).to.deep.equal({
      id: ID,
      name: "",
      labels: { team: "payments" },
      proxyUrls: [],
    });
    expect(decodeCreation({ proxyUrls: [7, { host: "edge.example", port: 443, protocol: "https" }] }))
      .to.have.property("proxyUrls")
      .that.deep.equals([{ host: "edge.example", port: 443, protocol: "https" }]);
  });

  it("stands for the arguments that the program gave, and no others", () => {
    expect(inputsOf(FULL)).to.deep.equal({ name: "edge", labels: { team: "payments" }, region: "eu" });
    const guards = { name: "edge", __given: "deletionPolicy,detachMembers,description" };
    expect(inputsOf(guards)).to.deep.equal({
      name: "edge",
      deletionPolicy: "always",
      detachMembers: false,
    });
  });
});
