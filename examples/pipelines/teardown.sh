#!/bin/sh
# Tears a stack down in a pipeline, in two steps:
#
#   teardown.sh install <folder>            installs the packages of the Pulumi project in the folder
#   teardown.sh night <folder> <stack>      runs `up`, shows the plan, destroys the stack and shows the report
#
# A stack whose `up` ran before needs no `up`. This is the second step for it:
#
#   teardown.sh destroy <folder> <stack>    shows what will be deleted, then destroys the stack
#
# Give secrets to the second step only. It needs pulumi on PATH and logged in (PULUMI_BACKEND_URL, PULUMI_ACCESS_TOKEN or
# `pulumi login`), and the token of a system account in KONNECT_SPAT. Keep that token out of the stack's configuration:
# a plain destroy uses the configuration of the last `up`, but today's environment.
#
# `night` appends its record to the file that KONNECT_REPORT_FILE names. Default: night-<time>.jsonl in the current folder.
#
# Exit codes:
#   0          the packages are installed, or everything in the stack is deleted
#   1          night: the report says that something is left; or pulumi ended with 1
#   2          the arguments are wrong, or the report file cannot be written
#   3          install: the folder has no lock file; night, destroy: its packages are not installed
#   6          night, destroy: the stack does not exist
#   130, 143   night, destroy: stopped by SIGINT or SIGTERM
#   others     those of npm and pulumi
set -eu

warn() {
  printf 'teardown.sh: %s\n' "$*" >&2
}

fail() {
  code=$1
  shift
  warn "$*"
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

# Enters the folder of a project, and ends the script when its packages or the stack are missing.
open_stack() {
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
}

# Deletes what is in the stack, and puts the exit code into `code`.
delete_all() {
  # --continue-on-error: a control plane that cannot be deleted must not keep the others.
  run pulumi destroy --yes --skip-preview --continue-on-error --non-interactive --stack "$stack"
  # When pulumi is stopped between two deletions, it ends with 0 and says that everything is deleted.
  if [ "$code" -eq 0 ] && [ -n "$stopped" ]; then
    code=$stopped
    warn "stopped; what is left is in the state. Run this again until it ends with 0"
  fi
}

destroy() {
  open_stack "$1" "$2"
  echo "These resources will be deleted. The preview also shows the problems that the service reports now."
  run pulumi destroy --preview-only --refresh --diff --non-interactive --stack "$stack"
  if [ -n "$stopped" ]; then fail "$stopped" "stopped during the preview; nothing was deleted"; fi
  if [ "$code" -ne 0 ]; then
    echo "The preview failed. Destroying anyway: what cannot be deleted stays in the state."
  fi
  delete_all
  exit "$code"
}

# Shows the report, and ends the script. When everything seems to be deleted, the report decides about the exit code.
end_night() {
  echo "The report of this night, from $KONNECT_REPORT_FILE:"
  report_code=0
  npx --no-install pulumi-konnect-control-planes report "$KONNECT_REPORT_FILE" || report_code=$?
  if [ "$code" -eq 0 ]; then code=${stopped:-$report_code}; fi
  exit "$code"
}

night() {
  KONNECT_REPORT_FILE=${KONNECT_REPORT_FILE:-night-$(date -u +%Y%m%dT%H%M%SZ).jsonl}
  case $KONNECT_REPORT_FILE in /*) ;; *) KONNECT_REPORT_FILE=$PWD/$KONNECT_REPORT_FILE ;; esac
  export KONNECT_REPORT_FILE
  # First of all, so that whatever renders the report later finds a file.
  touch "$KONNECT_REPORT_FILE" || fail 2 "the report file cannot be written; nothing was deleted"
  open_stack "$1" "$2"

  echo "Selecting and recording the control planes:"
  # --refresh: what the night before deleted leaves the state now, and is not taken for what the selection let go.
  run pulumi up --yes --skip-preview --refresh --non-interactive --stack "$stack"
  if [ -n "$stopped" ]; then
    warn "stopped before the destroy"
    end_night
  fi
  if [ "$code" -ne 0 ]; then
    warn "\`up\` failed, so nothing was selected, and nothing is destroyed"
    end_night
  fi

  echo "The plan:"
  run npx --no-install pulumi-konnect-control-planes plan --stack "$stack"
  if [ -n "$stopped" ]; then
    code=$stopped
    warn "stopped during the plan; nothing was deleted"
    end_night
  fi
  case $code in
    0) ;;
    1) echo "Destroying what nothing stands in the way of. The rest stays in the state." ;;
    *) echo "The plan failed. Destroying anyway: what cannot be deleted stays in the state." ;;
  esac

  delete_all
  end_night
}

# An empty --stack means the selected stack, and an empty folder the current one.
for argument in "$@"; do
  if [ -z "$argument" ]; then fail 2 "an argument is empty; is a variable of the pipeline not set?"; fi
done

case "${1-} $#" in
  "install 2") install "$2" ;;
  "night 3") night "$2" "$3" ;;
  "destroy 3") destroy "$2" "$3" ;;
  *) fail 2 "usage: $0 install <folder>, then $0 night <folder> <stack> or $0 destroy <folder> <stack>" ;;
esac
