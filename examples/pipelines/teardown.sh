#!/bin/sh
# Tears a stack down in a pipeline, in two steps:
#
#   teardown.sh install <folder>            installs the packages of the Pulumi project in the folder
#   teardown.sh destroy <folder> <stack>    shows what will be deleted, then destroys the stack
#
# Give secrets to the second step only. It needs pulumi on PATH and logged in (PULUMI_BACKEND_URL, PULUMI_ACCESS_TOKEN or
# `pulumi login`), and the token of a system account in KONNECT_SPAT. Keep that token out of the stack's configuration:
# a plain destroy uses the configuration of the last `up`, but today's environment.
#
# Exit codes:
#   0          the packages are installed, or everything in the stack is deleted
#   2          the arguments are wrong
#   3          install: the folder has no lock file; destroy: its packages are not installed
#   6          destroy: the stack does not exist
#   130, 143   destroy: stopped by SIGINT or SIGTERM
#   others     those of npm and pulumi
set -eu

fail() {
  code=$1
  shift
  printf 'teardown.sh: %s\n' "$*" >&2
  exit "$code"
}

enter() {
  CDPATH='' cd -- "$1" || fail 2 "there is no folder $1"
}

has_lock_file() {
  [ -f package-lock.json ] || [ -f npm-shrinkwrap.json ]
}

install() {
  enter "$1"
  # Without a lock file, the newest release of every package would run with the secrets.
  if ! has_lock_file; then
    fail 3 "$1 has no package-lock.json: run \`npm install\` there once and commit the file"
  fi
  # In a pipeline that gives its secrets to every step, npm must not inherit them.
  for name in $(env | sed -n -e 's/^\(KONNECT_[A-Za-z0-9_]*\)=.*/\1/p' -e 's/^\(PULUMI_[A-Za-z0-9_]*\)=.*/\1/p'); do
    unset "$name"
  done
  # No package needs its install script. With exec, no process that still has the secrets waits for npm.
  exec npm ci --ignore-scripts --no-audit --no-fund
}

# The id of the running command, and the exit code for the signal that arrived.
pid=
stopped=

pass_on() {
  stopped=$1
  # Always SIGTERM: a shell makes its background commands ignore SIGINT.
  if [ -n "$pid" ]; then kill -s TERM "$pid" 2>/dev/null || :; fi
}

# Runs a command to its end, also when a signal arrives, and puts its exit code into `code`.
run() {
  "$@" &
  pid=$!
  if [ -n "$stopped" ]; then kill -s TERM "$pid" || :; fi
  code=0
  wait "$pid" || code=$?
  # A signal ends `wait` but not the command.
  while kill -0 "$pid" 2>/dev/null; do
    code=0
    wait "$pid" || code=$?
  done
  pid=
}

destroy() {
  enter "$1"
  stack=$2
  if has_lock_file && [ ! -d node_modules ]; then
    fail 3 "the packages in $1 are not installed: run \`teardown.sh install\` first"
  fi

  # Looks the stack up by name, without selecting it. Newer versions of pulumi end with 6 when there is no such stack.
  code=0
  answer=$(pulumi stack --show-name --non-interactive --stack "$stack" 2>&1) || code=$?
  case "$code $answer" in
    "0 "*) ;;
    "6 "* | *"no stack named"*) fail 6 "there is no stack \"$stack\" in this backend; nothing was deleted" ;;
    *) fail "$code" "the stack \"$stack\" cannot be read, nothing was deleted: $answer" ;;
  esac

  # The runner of a pipeline signals this shell only.
  trap 'pass_on 130' INT
  trap 'pass_on 143' TERM

  echo "These resources will be deleted. The preview also shows the problems that the service reports now."
  run pulumi destroy --preview-only --refresh --diff --non-interactive --stack "$stack"
  if [ -n "$stopped" ]; then fail "$stopped" "stopped during the preview; nothing was deleted"; fi
  if [ "$code" -ne 0 ]; then
    echo "The preview failed. Destroying anyway: what cannot be deleted stays in the state."
  fi

  # --continue-on-error: a control plane that cannot be deleted must not keep the others.
  run pulumi destroy --yes --skip-preview --continue-on-error --non-interactive --stack "$stack"
  # When pulumi is stopped between two deletions, it ends with 0 and says that everything is deleted.
  if [ "$code" -eq 0 ] && [ -n "$stopped" ]; then
    fail "$stopped" "stopped; what is left is in the state. Run this again until it ends with 0"
  fi
  exit "$code"
}

# An empty --stack means the selected stack, and an empty folder the current one.
for argument in "$@"; do
  if [ -z "$argument" ]; then fail 2 "an argument is empty; is a variable of the pipeline not set?"; fi
done

case "${1-} $#" in
  "install 2") install "$2" ;;
  "destroy 3") destroy "$2" "$3" ;;
  *) fail 2 "usage: $0 install <folder>, then $0 destroy <folder> <stack>" ;;
esac
