// p-retry is an ES module, and this package requires it. A Node that cannot require one fails with the words of its
// module loader, so this file fails first. `engines` forbids such a Node, but npm only warns.
if ((process.features as { readonly require_module?: boolean }).require_module !== true) {
  const what = `Node.js ${process.versions.node} is too old`;
  const error = new Error(
    `${what}: Node.js 20.19+, 22.12+ or 24+ is required\n` +
      "  No request was sent, and the state is kept.\n\n" +
      "  next      put a supported `node` first on PATH",
  );
  // The host prints the error once more, with its stack.
  error.stack = what;
  error.toString = () => "pulumi-konnect-control-planes";
  throw error;
}
