// p-retry, which this package requires, is an ES module. A Node that cannot require one would say so in the words of a
// module loader, and of one file. package.json forbids it, but npm merely warns.
if ((process.features as { readonly require_module?: boolean }).require_module !== true) {
  const what = `Node.js ${process.versions.node} is too old`;
  const error = new Error(
    `${what}: 20.19, 22.12 or 24, or a newer one of these lines, is needed\n` +
      "  No request was sent, and the state is kept.\n\n" +
      "  next      run Pulumi with such a Node.js: it takes the first `node` on PATH",
  );
  // The host prints it once more, with its stack.
  error.stack = what;
  error.toString = () => "pulumi-konnect-control-planes";
  throw error;
}
