import { expect } from "chai";
import { embed, html } from "../../../../../provider/report/formats/html/markup.js";
import { safeText } from "../../../../../provider/text/safe-text.js";

describe("markup", () => {
  it("escapes text for elements and for quoted attributes", () => {
    const text = safeText(`<b>&amp;"'`, 40);
    expect(html`<p title="${text}">${text}</p>`.source).to.equal(
      `<p title="&lt;b&gt;&amp;amp;&quot;&#39;">&lt;b&gt;&amp;amp;&quot;&#39;</p>`,
    );
  });

  it("takes numbers, other markup and lists of it, and leaves out what is undefined", () => {
    const items = [html`<b>1</b>`, html`<b>2</b>`];
    expect(html`<i id="${7}">${items}${undefined}${html`<br />`}</i>`.source).to.equal(
      `<i id="7"><b>1</b><b>2</b><br /></i>`,
    );
  });

  it("embeds code as it is, and refuses code that would end its element", () => {
    expect(embed("script", `if (1 < 2) "&";`).source).to.equal(`<script>if (1 < 2) "&";</script>`);
    for (const code of ["a</script>", "a</STYLE >", "<!-- a"]) {
      expect(() => embed("style", code)).to.throw("the style would end its own element");
    }
  });
});
