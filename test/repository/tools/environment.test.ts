import { expect } from "chai";
import path from "node:path";
import { withFirstOnPath, withoutKonnectAndPulumi } from "../../../tools/environment.js";

describe("an environment", () => {
  it("loses every variable of Konnect and of Pulumi, and keeps the others", () => {
    const env = {
      PATH: "/bin",
      HTTPS_PROXY: "http://proxy",
      KONNECT_SPAT: "secret",
      KONNECT_TOKEN_FILE: "/secret",
      PULUMI_ACCESS_TOKEN: "secret",
      PULUMI_CONFIG_PASSPHRASE: "secret",
      PULUMI_CONFIG_PASSPHRASE_FILE: "/secret",
      pulumi_access_token: "secret",
      MY_PULUMI_NOTE: "kept",
    };
    expect(withoutKonnectAndPulumi(env)).to.deep.equal({
      PATH: "/bin",
      HTTPS_PROXY: "http://proxy",
      MY_PULUMI_NOTE: "kept",
    });
  });

  it("gets a folder first on its PATH, however that is spelled", () => {
    expect(withFirstOnPath("/cli", { PATH: "/bin" })).to.deep.equal({ PATH: `/cli${path.delimiter}/bin` });
    expect(withFirstOnPath("/cli", { Path: "/bin" })).to.deep.equal({ Path: `/cli${path.delimiter}/bin` });
    expect(withFirstOnPath("/cli", {})).to.deep.equal({ PATH: "/cli" });
  });
});
