/** What every program of these cases begins with. Control plane `n` has the id that ends in `n`. */
const PRELUDE = `
  const pulumi = require("@pulumi/pulumi");
  const { ControlPlane } = require("pulumi-konnect-control-planes");
  const idOf = (n) => "9524ec7d-36d9-465d-a8c5-" + String(n).padStart(12, "0");
  const plane = (name, n, options) => new ControlPlane(name, { controlPlaneId: idOf(n) }, options);
`;

/** Returns a program that declares control planes with `plane(name, n, options)`. */
export function program(body: string): string {
  return PRELUDE + body;
}

/** A program in which each feature has a control plane of its own. */
export const ADOPTING_PROGRAM = program(`
  const base = plane("base", 1);
  plane("dependent", 2, { dependsOn: [base] });
  plane("protected", 3, { protect: true });
  plane("retained", 4, { retainOnDelete: true });
  const host = plane("host", 5);
  plane("deleted-with-host", 6, { deletedWith: host });

  class Team extends pulumi.ComponentResource {
    constructor(name, options) {
      super("features:index:Team", name, {}, options);
      this.edge = plane(name + "-edge", 7, { parent: this });
      this.registerOutputs({ edgeName: this.edge.name });
    }
  }
  const team = new Team("team");
  exports.teamEdge = team.edge.name;

  // Corrects an id.
  plane("own-transform", 99, {
    transforms: [({ props, opts }) => ({ props: { ...props, controlPlaneId: idOf(9) }, opts })],
  });

  new ControlPlane("secret", {
    controlPlaneId: pulumi.secret(idOf(10)),
    baseUrl: pulumi.secret(process.env.SECRET_ADDRESS),
  });
  exports.hiddenName = plane("secret-name", 11, { additionalSecretOutputs: ["name"] }).name;
  plane("timed", 12, { customTimeouts: { create: "100ms", delete: "100ms" } });

  // Stands for a resource of another provider that makes a control plane: nothing is known of it in the first preview.
  class Maker extends pulumi.CustomResource {
    constructor(name, makes, at) {
      const create = "async({makes,at})=>({id:'made',outs:{made:makes,address:at}})";
      const provider = "exports.handler=()=>({create:" + create + ",delete:async()=>{}})";
      const outputs = { made: undefined, address: undefined };
      super("pulumi-nodejs:dynamic:Maker", name, { makes, at, ...outputs, __provider: provider });
    }
  }
  const maker = new Maker("maker", idOf(13), process.env.KONNECT_SERVER_URL);
  new ControlPlane("unknown", { controlPlaneId: maker.made, baseUrl: maker.address });

  const settings = { "konnect:token": pulumi.secret(process.env.TEAM_TOKEN) };
  const provider = new pulumi.ProviderResource("pulumi-nodejs", "of-the-team", settings);
  plane("provided", 14, { provider });

  exports.referredName = ControlPlane.get("referred", idOf(18)).name;

  // The id of a control plane that another stack adopts.
  exports.sharedId = idOf(20);

  plane("one", 15);
  plane("two", 16);
  plane("three", 17);
`);
