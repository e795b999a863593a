// Lists the control planes that the token can see, and counts their labels. It changes nothing.
// KONNECT_REGION, or KONNECT_SERVER_URL, says where.
const { selectControlPlanes } = require("pulumi-konnect-control-planes");

const textOf = ([key, value]) => `${key}=${value}`;

/** Shows a text of the service without what a terminal takes for a command. */
const show = (text) => console.log(text.replace(/\p{C}/gu, "?"));

selectControlPlanes({ newerThan: "3650d" }).then(
  (controlPlanes) => {
    const counts = new Map();
    for (const { name, createdAt, labels } of controlPlanes) {
      const texts = Object.entries(labels).map(textOf);
      for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
      show(`${createdAt?.slice(0, 10)}  ${name}  ${texts.join(" ")}`);
    }
    console.log(`\n${controlPlanes.length} control planes, with these labels:`);
    for (const [text, count] of [...counts].sort(([, a], [, b]) => b - a)) show(`${count}  ${text}`);
  },
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
