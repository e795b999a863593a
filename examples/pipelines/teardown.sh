#!/bin/sh
# Tears control planes down in a pipeline:
#
#   teardown.sh install <folder>                          installs the packages of the Pulumi project in the folder
#   teardown.sh night <folder> <stack>                    runs `up`, shows the plan, destroys the stack, shows the report
#   teardown.sh close <folder> <stack> <key>=<value> ...  does the same for what also has these labels, and keeps no state
#   teardown.sh destroy <folder> <stack>                  destroys a stack whose `up` ran elsewhere
#   teardown.sh report <folder>                           renders the report of `night` or `close` into files
#
# Give secrets to `night`, `close` and `destroy` only. They need pulumi on PATH, and the token of a system account in
# KONNECT_SPAT. `night` and `destroy` also need pulumi logged in (PULUMI_BACKEND_URL, PULUMI_ACCESS_TOKEN or
# `pulumi login`). Keep the token out of the stack's configuration: a plain destroy uses the configuration of the last
# `up`, but today's environment.
#
# Variables:
#   KONNECT_REPORT_FILE           the file to which `night` and `close` append their record, and which `report` renders.
#                                 Default: night-<time>.jsonl or closing-<time>.jsonl in the current folder; `report`
#                                 has none
#   TEARDOWN_TIME_LIMIT_SECONDS   the time after which pulumi is asked to stop. Set it below the job's own limit, whose end
#                                 kills pulumi. Default: none
#   PULUMI_SKIP_CHECKPOINTS       Pulumi's own variable, which this script gives to the destroy only. Not set: the destroy
#                                 skips checkpoints where that is safe (fast mode). false: it never does. true: it must,
#                                 and nothing is deleted where that is not safe
#   GITHUB_STEP_SUMMARY           `report` appends the report to the file that it names. GitHub's runner sets it
#
# Exit codes:
#   0          the packages are installed, everything is deleted, or the report is rendered
#   1          night, close: the report says that something is left; or pulumi ended with 1
#   2          an argument or a variable is wrong, the report file cannot be written or read, or PULUMI_SKIP_CHECKPOINTS is
#              true where that is not safe
#   3          install: the folder has no lock file; others: its packages are not installed
#   6          night, destroy: the stack does not exist
#   124        the time limit stopped it
#   130, 143   stopped by SIGINT or SIGTERM
#   others     those of npm and pulumi
set -eu

# The last warning.
reason=

# Prints a line. In some shells, `echo` makes control characters of the backslashes in a name.
say() {
  printf '%s\n' "$*"
}

warn() {
  reason=$*
  printf 'teardown.sh: %s\n' "$reason" >&2
}

fail() {
  code=$1
  shift
  warn "$*"
  exit "$code"
}

usage() {
  fail 2 "usage: $0 install <folder>, then $0 night <folder> <stack>, $0 close <folder> <stack> <key>=<value> ..., $0 destroy <folder> <stack> or $0 report <folder>"
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

# Ends the script when the packages of the project in the current folder are missing.
require_packages() {
  if has_lock_file && [ ! -d node_modules ]; then
    fail 3 "the packages in $1 are not installed: run \`teardown.sh install\` first"
  fi
}

# What messages call the run, and what they say of what is left.
job=night
rest="is in the state"

# The ids of the running command and of its witness, and the exit code for the signal that arrived.
pid=
witness=
stopped=
# What `close` removes at its end: its state and its configuration.
scratch=
copied_config=

# Where the reason of a failure is kept for `report`.
failure=

clean_up() {
  code=$?
  if [ "$code" -ne 0 ] && [ -n "$reason" ] && [ -n "$failure" ]; then printf '%s\n' "$reason" >"$failure"; fi
  if [ -n "$scratch" ]; then rm -rf "$scratch" "$copied_config"; fi
}

# What the user says about fast mode: true, false or nothing.
skip_wanted=

# Takes PULUMI_SKIP_CHECKPOINTS out of the environment, because it must not reach `up`.
take_skip_wanted() {
  case ${PULUMI_SKIP_CHECKPOINTS-} in
    '') ;;
    1 | [Tt][Rr][Uu][Ee]) skip_wanted=true ;;
    0 | [Ff][Aa][Ll][Ss][Ee]) skip_wanted=false ;;
    *) fail 2 "PULUMI_SKIP_CHECKPOINTS must be true or false, or not set" ;;
  esac
  unset PULUMI_SKIP_CHECKPOINTS
}

# Catches signals from now on, and starts the time limit.
watch() {
  case ${TEARDOWN_TIME_LIMIT_SECONDS-1} in
    '' | *[!0-9]* | 0* | ????????*) fail 2 "TEARDOWN_TIME_LIMIT_SECONDS must be a whole number of seconds from 1 on" ;;
  esac
  # The runner of a pipeline may signal this shell only.
  trap 'pass_on 130' INT
  trap 'pass_on 143' TERM
  trap 'time_is_up' ALRM
  if [ -n "${TEARDOWN_TIME_LIMIT_SECONDS-}" ]; then
    # It ends with this script, even when this script is killed.
    node -e '
      const [script, seconds] = process.argv.slice(1).map(Number);
      const endsMs = Date.now() + seconds * 1000;
      setInterval(() => {
        if (process.ppid !== script) process.exit();
        if (Date.now() < endsMs) return;
        process.kill(script, "SIGALRM");
        process.exit();
      }, 200);
    ' "$$" "$TEARDOWN_TIME_LIMIT_SECONDS" >/dev/null 2>&1 &
  fi
}

time_is_up() {
  warn "the time limit of $TEARDOWN_TIME_LIMIT_SECONDS s is reached; stopping"
  pass_on 124
}

# Passes a signal on to the running command, unless that got it too: a second signal makes pulumi drop its work.
pass_on() {
  stopped=$1
  interrupted=yes
  if [ -n "$witness" ]; then
    # GitLab signals all processes of a job, and a terminal all of its group. Then the witness ends by itself.
    sleep 0.5 2>/dev/null || sleep 1
    kill -s KILL "$witness" 2>/dev/null || :
    seen=0
    wait "$witness" 2>/dev/null || seen=$?
    witness=
    case $seen in
      130 | 143)
        passed_on=yes
        return 0
        ;;
    esac
  fi
  # Always SIGTERM: a shell makes its background commands ignore SIGINT.
  if [ -n "$pid" ]; then
    kill -s TERM "$pid" 2>/dev/null || :
    passed_on=yes
  fi
}

# Runs a command to its end, also when a signal arrives, and puts its exit code into `code`.
run() {
  code=$stopped
  if [ -n "$stopped" ]; then return 0; fi
  interrupted=
  passed_on=
  "$@" &
  pid=$!
  # Unlike `sleep`, node does not inherit that SIGINT is ignored.
  node -e 'setInterval(() => process.ppid === Number(process.argv[1]) || process.exit(), 1000)' "$$" >/dev/null 2>&1 &
  witness=$!
  # The signal may have come before the id was known.
  if [ -n "$stopped" ] && [ -z "$passed_on" ]; then kill -s TERM "$pid" 2>/dev/null || :; fi
  code=0
  wait "$pid" || code=$?
  # A signal ends `wait` but not the command.
  while [ -n "$interrupted" ]; do
    interrupted=
    again=0
    wait "$pid" || again=$?
    # With 127, the signal came after the end of the command, and the `wait` before has its exit code.
    if [ "$again" -ne 127 ]; then code=$again; fi
  done
  pid=
  if [ -n "$witness" ]; then
    kill -s KILL "$witness" 2>/dev/null || :
    wait "$witness" 2>/dev/null || :
    witness=
  fi
}

# Ends the script when the stack is missing.
open_stack() {
  stack=$1
  # Looks the stack up by name, without selecting it. Newer versions of pulumi end with 6 when there is no such stack.
  code=0
  answer=$(pulumi stack --show-name --non-interactive --stack "$stack" 2>&1) || code=$?
  case "$code $answer" in
    "0 "*) ;;
    "6 "* | *"no stack named"*) fail 6 "there is no stack \"$stack\" in this backend; nothing was deleted" ;;
    *) fail "$code" "the stack \"$stack\" cannot be read, nothing was deleted: $answer" ;;
  esac
}

# Chooses fast or normal mode for the destroy, and says why. Puts an exit code other than 0 into `code` when there must be
# no destroy.
#
# In fast mode, Pulumi writes the state once, at the end. A destroy that is killed then leaves the state as it was, and the
# next one repeats each delete. The package knows whether everything in the stack allows that.
choose_mode() {
  code=0
  parallel=
  if [ "$skip_wanted" = false ]; then
    echo "Normal mode. PULUMI_SKIP_CHECKPOINTS is false."
    return 0
  fi
  answer=$(mktemp)
  run npx --no-install pulumi-konnect-control-planes checkpoints --stack "$stack" >"$answer"
  verdict=$(cat "$answer")
  rm -f "$answer"
  # As for the plan: GitLab stops the processes of a job one after the other.
  if [ -z "$stopped" ] && [ "$code" -gt 128 ]; then stopped=$code; fi
  if [ -n "$stopped" ]; then
    code=$stopped
    warn "stopped before the destroy; nothing was deleted"
    return 0
  fi
  if [ "$code" -eq 0 ] && [ -n "$verdict" ]; then
    say "Fast mode. $verdict"
    export PULUMI_SKIP_CHECKPOINTS=true
    # Pulumi deletes four resources at a time for each core. That is too few when no checkpoints are written. The package
    # finds out how many requests the service takes.
    parallel=--parallel=32
    return 0
  fi
  code=0
  verdict=${verdict:-The state could not be judged.}
  if [ "$skip_wanted" = true ]; then
    code=2
    warn "PULUMI_SKIP_CHECKPOINTS is true, but fast mode is not safe here; nothing was deleted. $verdict"
    return 0
  fi
  say "Normal mode. $verdict"
}

# Deletes what is in the stack, and puts the exit code into `code`.
delete_all() {
  choose_mode
  if [ "$code" -ne 0 ]; then return 0; fi
  # --continue-on-error: a control plane that cannot be deleted must not keep the others.
  run pulumi destroy --yes --skip-preview --continue-on-error --non-interactive $parallel --stack "$stack"
  # When pulumi is stopped between two deletions, it ends with 0 and says that everything is deleted.
  if [ "$code" -eq 0 ] && [ -n "$stopped" ]; then
    code=$stopped
    warn "stopped; what is left $rest. Run this again until it ends with 0"
  fi
}

destroy() {
  enter "$1"
  require_packages "$1"
  take_skip_wanted
  watch
  open_stack "$2"
  echo "These resources will be deleted. The preview also shows the problems that the service reports now."
  run pulumi destroy --preview-only --refresh --diff --non-interactive --stack "$stack"
  if [ -n "$stopped" ]; then fail "$stopped" "stopped during the preview; nothing was deleted"; fi
  if [ "$code" -ne 0 ]; then
    say "The preview failed. Destroying anyway: what cannot be deleted $rest."
  fi
  delete_all
  exit "$code"
}

# Puts the path of the report file into KONNECT_REPORT_FILE, and creates the file.
start_report() {
  KONNECT_REPORT_FILE=${KONNECT_REPORT_FILE:-$job-$(date -u +%Y%m%dT%H%M%SZ).jsonl}
  case $KONNECT_REPORT_FILE in /*) ;; *) KONNECT_REPORT_FILE=$PWD/$KONNECT_REPORT_FILE ;; esac
  export KONNECT_REPORT_FILE
  # First of all, so that whatever renders the report later finds a file.
  if ! { mkdir -p "$(dirname "$KONNECT_REPORT_FILE")" && touch "$KONNECT_REPORT_FILE"; }; then
    fail 2 "the report file cannot be written; nothing was deleted"
  fi
  # Reading anything else, such as a pipe, could wait forever.
  if [ ! -f "$KONNECT_REPORT_FILE" ]; then fail 2 "the report file is not a regular file; nothing was deleted"; fi
  failure=${KONNECT_REPORT_FILE%.jsonl}.failure.txt
  rm -f "$failure"
  trap clean_up EXIT
}

# Shows the report, and ends the script. When everything seems to be deleted, the report decides about the exit code.
show_report() {
  say "The report of this $job, from $KONNECT_REPORT_FILE:"
  report_code=0
  npx --no-install pulumi-konnect-control-planes report "$KONNECT_REPORT_FILE" || report_code=$?
  if [ "$code" -eq 0 ]; then code=${stopped:-$report_code}; fi
  exit "$code"
}

# Selects, shows the plan, deletes and reports. Ends the script.
select_and_delete() {
  echo "Selecting and recording the control planes:"
  # --refresh: what the night before deleted leaves the state now, and is not taken for what the selection let go.
  run pulumi up --yes --skip-preview --refresh --non-interactive --stack "$stack"
  if [ -n "$stopped" ]; then
    warn "stopped before the destroy"
    show_report
  fi
  if [ "$code" -ne 0 ]; then
    warn "\`up\` failed, so nothing was selected, and nothing is destroyed"
    show_report
  fi

  echo "The plan:"
  run npx --no-install pulumi-konnect-control-planes plan --stack "$stack"
  # GitLab stops the processes of a job one after the other, and this script last.
  if [ -z "$stopped" ] && [ "$code" -gt 128 ]; then stopped=$code; fi
  if [ -n "$stopped" ]; then
    code=$stopped
    warn "stopped during the plan; nothing was deleted"
    show_report
  fi
  case $code in
    0) ;;
    1) echo "Destroying what nothing stands in the way of. The rest $rest." ;;
    *)
      warn "the plan failed, so nothing is destroyed"
      show_report
      ;;
  esac

  delete_all
  show_report
}

night() {
  start_report
  enter "$1"
  require_packages "$1"
  take_skip_wanted
  watch
  open_stack "$2"
  select_and_delete
}

close() {
  job=closing
  rest="is found again by its labels"
  folder=$1
  config=Pulumi.$2.yaml
  stack=$2
  shift 2
  for label in "$@"; do
    case $label in
      [A-Za-z0-9]*=?*) ;;
      *) fail 2 "\"$label\" must be a label as key=value; is a variable of the pipeline not set?" ;;
    esac
    case ${label%%=*} in *[!A-Za-z0-9._/-]*) fail 2 "\"$label\" must be a label as key=value" ;; esac
    stack=$stack-$(printf %s "$label" | tr -c 'A-Za-z0-9._-' -)
  done
  start_report
  enter "$folder"
  require_packages "$folder"
  if [ ! -f "$config" ]; then fail 2 "$folder has no $config, which says what to select"; fi
  take_skip_wanted
  watch

  # No state outlives this job, because what is left is found again by its labels. The backend of the pipeline is not used.
  scratch=$(mktemp -d)
  export PULUMI_BACKEND_URL="file://$scratch" PULUMI_CONFIG_PASSPHRASE=
  unset PULUMI_CONFIG_PASSPHRASE_FILE PULUMI_STACK
  copied_config=Pulumi.$stack.yaml
  sed '/^\(encryptionsalt\|secretsprovider\|encryptedkey\):/d' "$config" >"$copied_config"
  pulumi stack init --no-select --non-interactive "$stack"
  for label in "$@"; do
    # As a string, because the value of a label is one even when it looks like a number.
    pulumi config set --stack "$stack" --non-interactive --type string \
      --path "select.labels[\"${label%%=*}\"]" -- "${label#*=}"
  done
  select_and_delete
}

# What `report` writes: formats, and the ends of the names of their files.
FORMATS="markdown:md junit:xml html:html"

report() {
  if [ -z "${KONNECT_REPORT_FILE-}" ]; then fail 2 "KONNECT_REPORT_FILE must name the report file"; fi
  if [ ! -f "$KONNECT_REPORT_FILE" ]; then fail 2 "there is no report file $KONNECT_REPORT_FILE: nothing was deleted"; fi
  case $KONNECT_REPORT_FILE in /*) ;; *) KONNECT_REPORT_FILE=$PWD/$KONNECT_REPORT_FILE ;; esac
  enter "$1"
  require_packages "$1"
  name=${KONNECT_REPORT_FILE%.jsonl}
  for format in $FORMATS; do
    code=0
    npx --no-install pulumi-konnect-control-planes report "$KONNECT_REPORT_FILE" \
      --format "${format%:*}" --output "$name.${format#*:}" || code=$?
    # 1 says that something is left, and the exit code of the night has said so.
    if [ "$code" -gt 1 ]; then exit "$code"; fi
  done
  # An empty report says that nothing is left, also when nothing could be selected.
  if [ -s "$name.failure.txt" ]; then
    [ -s "$KONNECT_REPORT_FILE" ] || : >"$name.md"
    {
      printf '## The run failed\n\n'
      sed 's/^/    /' "$name.failure.txt"
      printf '\nThe log of the job says why.\n\n'
      cat "$name.md"
    } >"$name.md.new"
    mv "$name.md.new" "$name.md"
  fi
  if [ -n "${GITHUB_STEP_SUMMARY-}" ]; then cat "$name.md" >>"$GITHUB_STEP_SUMMARY"; fi
}

# An empty --stack means the selected stack, and an empty folder the current one.
for argument in "$@"; do
  if [ -z "$argument" ]; then fail 2 "an argument is empty; is a variable of the pipeline not set?"; fi
done

case "${1-} $#" in
  "install 2") install "$2" ;;
  "night 3") night "$2" "$3" ;;
  "destroy 3") destroy "$2" "$3" ;;
  "report 2") report "$2" ;;
  "close "[0-3]) usage ;;
  "close "*)
    shift
    close "$@"
    ;;
  *) usage ;;
esac
