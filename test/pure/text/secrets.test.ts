import { expect } from "chai";
import fc from "fast-check";
import { removeSecrets } from "../../../provider/text/safe-text.js";
import { anyText } from "../../dangerous-text.js";

describe("removeSecrets", () => {
  const removed: readonly (readonly [given: string, expected: string])[] = [
    ["Authorization: Bearer abc.def-123", "Authorization: Bearer [removed]"],
    ['{"authorization":"bearer abc123","a":1}', '{"authorization":"Bearer [removed]","a":1}'],
    ["BEARER   hunter2; next", "Bearer [removed]; next"],
    ["token spat_Aa0-_9.", "token spat_[removed]."],
    ["token kpat_Aa0-_9 and spat_1", "token kpat_[removed] and spat_[removed]"],
    ["at https://user:hunter2@host/path", "at https://[removed]@host/path"],
    ["at https://hunter2@host", "at https://[removed]@host"],
    ["at https://user:p@ss@host/path", "at https://[removed]@host/path"],
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [removed]"],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic [removed]"}'],
    ["KPAT_HIDDEN", "KPAT_[removed]"],
    ["Bearer%20abc", "Bearer [removed]"],
    ["with%20Bearer%20abc", "with%20Bearer [removed]"],
    ["x_bearer abc", "x_Bearer [removed]"],
    ["Bearer Bearer abc", "Bearer [removed]"],
    [String.raw`"https:\/\/user:hunter2@host\/"`, String.raw`"https:\/\/[removed]@host\/"`],
    ['{"Proxy-Authorization":["Basic dXNlcg=="]}', '{"Proxy-Authorization":["Basic [removed]"]}'],
    ["Authorization Basic dXNlcg==", "Authorization Basic [removed]"],
    ["x_spat_hidden", "x_spat_[removed]"],
    ["authorization:basic   dXNlcjpwYXNz", "authorization:basic   [removed]"],
    ["authorization = basic dXNlcjpwYXNz", "authorization = basic [removed]"],
  ];
  for (const [given, expected] of removed) {
    it(`removes the secret from ${given}`, () => expect(removeSecrets(given)).to.equal(expected));
  }

  for (const text of [
    "basic authentication is off",
    "the torchbearer arrived",
    "mail someone@example.com",
    "see https://host/a@b",
  ]) {
    it(`keeps a text without a secret: ${text}`, () => expect(removeSecrets(text)).to.equal(text));
  }

  it("leaves nothing to remove, whatever the text (1000 runs)", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(removeSecrets(removeSecrets(text))).to.equal(removeSecrets(text));
      }),
      { numRuns: 1_000 },
    );
  });
});
