#!/bin/sh
# Tears a stack down in a pipeline: install, preview, destroy. Ends with pulumi's exit code.
#
# Usage: teardown.sh <folder of the Pulumi project> <stack>
# Needs: pulumi on PATH and logged in (PULUMI_BACKEND_URL, PULUMI_ACCESS_TOKEN or `pulumi login`), and the token of a
#        system account in KONNECT_SPAT. Keep it out of the stack's configuration: a plain destroy uses the
#        configuration of the last `up`, but the environment of now.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 <folder of the Pulumi project> <stack>" >&2
  exit 2
fi
cd "$1"
stack=$2

# The provider runs from the project's packages: without them a destroy cannot load it.
if [ -f package-lock.json ]; then npm ci --no-audit --no-fund; else npm install --no-audit --no-fund; fi

echo "About to be deleted, with the problems that the service reports now:"
pulumi destroy --preview-only --refresh --diff --non-interactive --stack "$stack" ||
  echo "The preview failed; destroying all the same: what cannot be deleted stays in the state."

# A cancelled job signals this shell alone: it passes the signal on, so that pulumi stops cleanly. It is SIGTERM in any
# case, since a shell lets what it starts in the background ignore SIGINT.
pid=
stopped=
pass_on() {
  stopped=$1
  if [ -n "$pid" ]; then kill -s TERM "$pid" 2>/dev/null || :; fi
}
trap 'pass_on 130' INT
trap 'pass_on 143' TERM

# --continue-on-error: one control plane that cannot be deleted must not keep the others.
pulumi destroy --yes --skip-preview --continue-on-error --non-interactive --stack "$stack" &
pid=$!
if [ -n "$stopped" ]; then kill -s TERM "$pid" || :; fi
code=0
wait "$pid" || code=$?
# A signal ends the wait, and not pulumi.
while kill -0 "$pid" 2>/dev/null; do
  code=0
  wait "$pid" || code=$?
done

# Pulumi can end with 0 when it was stopped between two deletions, and then says that everything is deleted.
if [ "$code" -eq 0 ] && [ -n "$stopped" ]; then
  echo "Stopped: what is left stands in the state. Run this again until it ends with 0." >&2
  code=$stopped
fi
exit "$code"
