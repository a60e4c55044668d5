#!/usr/bin/env bats
# Tests/run itself, in a copy of its scripts: with a `swift` that has built already, and programs that play the tests.
load ../Support/command

# Makes the copy, a Debian on which every package is installed, and test programs that pass.
play_checkout() {
    mkdir -p bin programs checkout/Simulator checkout/Tests
    cp "$top"/Simulator/{build,set-up} checkout/Simulator/
    cp -r "$top"/Tests/{run,Support} checkout/Tests/
    play bin/swift "case \$* in *--show-bin-path*) echo '$work/programs' ;; esac"
    # shellcheck disable=SC2016 # for the command that is played
    play bin/dpkg-query 'shift 2; printf "ii %s\n" "$@"'
    play programs/taplinePackageTests.xctest 'echo "Test run with 1 test passed after 1 seconds"'
    play programs/soak true
    export PATH="$work/bin:$PATH"
}

# Writes a command: its path and text.
play() {
    printf '#!/usr/bin/env bash\n%s\n' "$2" > "$1"
    chmod 755 "$1"
}

# Whether the test of `expect_clean_end` runs, with a process of another session.
is_at_work() {
    [[ -s sleeper ]]
}

nothing_is_left() {
    [[ -z $(processes_of_test) && -z $(ls -A tmp) ]]
}

# The rule that a signal ends all that Tests/run has started: the signal, the exit status.
expect_clean_end() {
    local status=0
    play_checkout
    mkdir tmp
    play programs/soak "setsid sleep 1000 & echo \$! > '$work/sleeper'; trap '' TERM; wait; sleep 1000"
    TMPDIR=$work/tmp env --default-signal=INT checkout/Tests/run soak > out 2>&1 3>&- &
    started+=($!)
    eventually is_at_work
    kill "-$1" "${started[-1]}"
    wait "${started[-1]}" || status=$?
    expect_equal "$2" "$status" "the exit status"
    nothing_is_left || complain "left: $(processes_of_test) $(ls tmp)"
}

@test "tests that pass are counted from whatever folder they are started" {
    local folder
    play_checkout
    for folder in . checkout checkout/Tests; do
        (cd "$folder" && "./$(realpath --relative-to=. "$work/checkout/Tests/run")" unit soak > "$work/out")
        expect_equal "2 passed, 0 failed" "$(tail -n 1 out)" "the last line, started in $folder"
    done
}

@test "interrupt ends everything that was started" {
    expect_clean_end INT 130
}

@test "signal to terminate ends everything that was started" {
    expect_clean_end TERM 143
}

@test "group that is killed is a failure" {
    play_checkout
    # shellcheck disable=SC2016 # for the command that is played
    play programs/soak 'kill -KILL $PPID'
    expect_status 1 checkout/Tests/run unit soak
    cat status.out status.err | grep -xF "failed: soak did not end" > /dev/null || complain "$(cat status.out status.err)"
}

@test "result that cannot be written is a failure" {
    # shellcheck disable=SC2016 # for the shell that is started
    expect_status 1 bash -c 'source "$1"; start_tally; passed 1; (trap "" XFSZ; ulimit -f 0; failed "a test"); finish_tally' \
        tally "$top/Tests/Support/tally"
    has_text status.out "failed: results could not be written to" || complain "$(cat status.out)"
}

@test "packages are installed in the session of the terminal, in which sudo can ask" {
    play_checkout
    # shellcheck disable=SC2016 # for the commands that are played
    play bin/dpkg-query 'shift 2; printf "ii %s\n" "$@" | grep -v arm-none-eabi'
    play bin/id 'echo 1000'
    play bin/sudo "ps -o sid= -p \$\$ > '$work/session'; exit 1"
    checkout/Tests/run firmware > out 2>&1 && complain "it goes on without packages: $(cat out)"
    expect_equal "$(ps -o sid= -p $$)" "$(cat session)" "the session in which sudo runs"
}

@test "pipe that is closed ends a test's command as it does for a user" {
    # shellcheck disable=SC2016 # for the shell that is started
    expect_equal 141 "$("$top/Tests/Support/contained" bash -c 'yes | head -n 1 > /dev/null; echo "${PIPESTATUS[0]}"')" "the exit status"
}

@test "checkout of another user is refused in one line" {
    local script
    play_checkout
    cp "$top"/Simulator/start checkout/Simulator/
    cp "$top"/Tests/{unit,fuzz} checkout/Tests/
    mkdir checkout/Tests/WatchTests
    : > checkout/.build
    for script in Simulator/start Simulator/build Tests/run "Tests/unit Watch" Tests/fuzz; do
        # shellcheck disable=SC2086 # words
        expect_failure 1 "cannot write to $work/checkout/.build" checkout/$script
    done
}
