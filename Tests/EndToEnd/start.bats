#!/usr/bin/env bats
# Simulator/start: with a `swift` that has built already, so that what runs is the command under test.
load ../Support/command
load ../Support/screen

# Puts that `swift` on PATH, and the list where `listed` finds it.
play_build() {
    mkdir bin
    printf '#!/usr/bin/env bash\ncase $* in *--show-bin-path*) echo "%s" ;; *) echo "Compiling" ;; esac\n' \
        "$(dirname "$TAPLINE")" > bin/swift
    chmod 755 bin/swift
    export PATH="$work/bin:$PATH"
}

# A command of the phone over the list that Simulator/start uses.
listed() {
    "$TAPLINE" phone "$@" --database "$XDG_DATA_HOME/tapline/phone.sqlite" --sockets "$work/sockets"
}

# Whether nothing of a simulator is left: no process and no socket.
nothing_is_left() {
    [[ -z $(processes_of_test) && -z $(ls -A "$XDG_RUNTIME_DIR") ]]
}

# Starts the simulator with a standard input that stays open, and waits until the watch is up. Its process is $simulator.
start_simulator() {
    mkfifo commands
    env --default-signal=INT "$top/Simulator/start" < commands > simulator.out 2> simulator.err 3>&- &
    simulator=$!
    started+=("$simulator")
    exec {commands}<> commands
    eventually has_text simulator.out "left"
}

@test "commands on standard input work without a terminal" {
    play_build
    printf 'tap 1\nquit\n' | "$top/Simulator/start" > out 2> err
    has_text err Compiling || complain "the build's output is not on standard error: $(cat err)"
    if has_text out Compiling; then complain "the build's output is on standard output"; fi
    has_text out "16 left" || complain "the screen before: $(cat out)"
    has_text out "15 left" || complain "the screen after: $(cat out)"
    expect_equal "Oat milk" "$(listed history --event checked --json | json 'it[0]["title"]')" "the history"
    eventually nothing_is_left
}

@test "sample list is loaded once" {
    play_build
    "$top/Simulator/start" <<< quit > /dev/null 2> first
    has_text first "Loaded the sample list" || complain "$(cat first)"
    listed remove "Oat milk" > /dev/null
    "$top/Simulator/start" <<< quit > /dev/null 2> second
    if has_text second "Loaded the sample list"; then complain "it was loaded twice"; fi
    expect_equal 15 "$(listed list --json | json 'it["open"]')" "items on the list"
}

@test "failed command is the exit status" {
    play_build
    local status=0
    "$top/Simulator/start" <<< dance > out 2> err || status=$?
    expect_equal 1 "$status" "the exit status"
    eventually nothing_is_left
}

# The rule that a simulator which gets a signal leaves nothing behind: the signal, the exit status.
expect_clean_end() {
    play_build
    start_simulator
    kill "-$1" "$simulator"
    expect_end "$2" "$simulator"
    eventually nothing_is_left
}

@test "nothing is left after a signal to terminate" {
    expect_clean_end TERM 143
}

@test "nothing is left after an interrupt" {
    expect_clean_end INT 143
}

@test "nothing is left after a hang up" {
    expect_clean_end HUP 143
}

@test "nothing is left after a kill" {
    expect_clean_end KILL 137
}

@test "second simulator of one list is refused" {
    play_build
    start_simulator
    expect_failure 1 "a simulator is running" quietly "$top/Simulator/start"
    echo quit >&"$commands"
    wait "$simulator"
}

# Runs a command without the lines that tell of the build.
quietly() {
    { "$@" 2>&1 >&3 3>&- | grep -vE '^(Building|Compiling)' >&2 3>&-; return "${PIPESTATUS[0]}"; } 3>&1
}

@test "phone that does not start is an error" {
    play_build
    mkdir -p "$XDG_DATA_HOME/tapline"
    printf 'no database, and long enough to be taken for one that was damaged by something or somebody else' \
        > "$XDG_DATA_HOME/tapline/phone.sqlite"
    local status=0
    "$top/Simulator/start" <<< quit > out 2> err || status=$?
    expect_equal 1 "$status" "the exit status"
    has_text err "phone.sqlite" || complain "$(cat err)"
    eventually nothing_is_left
}

@test "stopped simulator gives the terminal back and continues" {
    play_build
    open_screen 100 50
    type_line "PATH='$PATH' XDG_RUNTIME_DIR='$XDG_RUNTIME_DIR' '$top/Simulator/start'; echo \"status=\$?\""
    eventually screen_shows_pixels
    press_keys C-z
    eventually screen_shows Stopped
    type_line fg
    eventually screen_shows_pixels
    press_keys q
    eventually screen_shows_no_pixels
    # The shell has said `status=148` for the stop: what follows `fg` is the end.
    type_line 'echo "then=$?"'
    eventually screen_shows "then=0"
    eventually nothing_is_left_but_the_terminal
}

nothing_is_left_but_the_terminal() {
    local process
    for process in $(processes_of_test); do
        [[ $(tr '\0' ' ' 2> /dev/null < "/proc/$process/cmdline") == @(*tmux*|*"bash --norc"*) ]] || return 1
    done
    [[ -z $(ls -A "$XDG_RUNTIME_DIR") ]]
}
