// The configuration of the stack says what this project selects.
module.exports = require("pulumi-konnect-control-planes/teardown");
