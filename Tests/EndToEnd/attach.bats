#!/usr/bin/env bats
# A running watch that is driven from another shell, and recordings.
load ../Support/command
load ../Support/phone
load ../Support/watch

# Starts a watch with two items on its list.
begin_watch() {
    printf 'Milk\nBread\n' | import_items
    start_phone
    start_plain_watch
    eventually has_text watch.out "in sync"
}

@test "words drive a watch and each answer is a line of json" {
    begin_watch
    expect_equal "done list 2" "$(attach expect row 1 Milk | json '"%s %s %d" % (it["outcome"], it["watch"]["screen"], it["watch"]["left"])')" \
        "the first answer"
    expect_equal "done 1" "$(attach tap 1 | json '"%s %d" % (it["outcome"], it["watch"]["tap"]["number"])')" "a tap"
    attach wait until settled 100000s > /dev/null
    attach wait until synced 100000s > /dev/null
    expect_equal "Milk" "$(checked_titles)" "what the phone has"
    expect_equal "1 [ ] Bread" "$(attach describe | json 'it["output"].splitlines()[1]')" "what is printed"
    eventually has_text watch.out "1 [ ] Bread"
}

@test "what is wrong is in the answer and in the status" {
    local status=0
    begin_watch
    attach expect row 1 Eggs > answer || status=$?
    expect_equal "1 failed" "$status $(json 'it["outcome"]' < answer)" "an expectation that is not met"
    expect_equal 'command line:1: expected row 1 "Eggs", found "Milk"' "$(json 'it["error"]' < answer)" "the reason"
    status=0
    printf 'describe\nflyto 1\ndescribe\n' | attach > answers || status=$?
    expect_equal "1 2" "$status $(wc -l < answers)" "lines of a program that makes a mistake"
    printf 'describe\n\n# nothing\nquit\ndescribe\n' | attach > answers
    expect_equal 1 "$(wc -l < answers)" "lines before quit"
}

@test "script runs on it as a whole" {
    begin_watch
    mkdir scripts
    printf 'repeat 2\ntap 1\nwait until settled\nend\nexpect left 0\nscreenshot empty.png\n' > scripts/all
    attach --script scripts/all > answer
    expect_equal "done 0" "$(json '"%s %d" % (it["outcome"], it["watch"]["left"])' < answer)" "the answer"
    [[ -s scripts/empty.png ]] || complain "the picture is not beside the script"
    expect_failure 1 "missing: the script cannot be read" attach --script missing
}

@test "recording goes on from one command to another" {
    begin_watch
    attach record taps.gif > /dev/null
    attach tap 1 > /dev/null
    attach wait 500ms > /dev/null
    attach record end > /dev/null
    expect_equal GIF89a "$(head -c 6 taps.gif)" "the beginning of the file"
}

@test "clock of a watch is set" {
    begin_watch
    attach press crown > /dev/null
    expect_equal 18:30 "$(attach time 18:30 | json 'it["watch"]["time"]')" "the time"
    eventually has_text watch.out "Face, 18:30"
}

@test "one of several watches has to be named" {
    expect_failure 1 "no watch is running with sockets in $work/sockets: start one with tapline watch" attach describe
    expect_failure 1 "no watch is running with sockets in $work/none" "$TAPLINE" watch --attach --sockets "$work/none" describe
    [[ ! -e none ]] || complain "a directory was made"
    expect_failure 1 "process 1 is no watch, and no other process is: start one" attach --process 1 describe
    begin_watch
    local first=$watch
    start second "$TAPLINE" watch --sockets "$work/sockets" --flash "$work/second.flash" --headless --script <(echo wait 10000s)
    eventually two_run
    expect_failure 1 "2 watches are running: choose one with --process" attach describe
    expect_equal "done" "$(attach --process "$first" describe | json 'it["outcome"]')" "the chosen one"
    expect_failure 1 "process 1 is no watch: choose one with --process" attach --process 1 describe
}

two_run() { [[ $(find sockets -name 'watch-*.control' | wc -l) == 2 ]]; }

@test "watch that was killed leaves nothing to attach to" {
    begin_watch
    kill_watch
    expect_failure 1 "no watch is running" attach describe
    rm commands
    start_plain_watch
    eventually attach describe > /dev/null
    expect_equal 1 "$(find sockets -name 'watch-*.control' | wc -l)" "sockets of watches"
    say_to_watch quit
    wait "$watch"
    expect_equal 0 "$(find sockets -name 'watch-*' | wc -l)" "files of watches that have ended"
}

@test "end of a watch ends what waits for it and writes its recording" {
    begin_watch
    attach record end.gif > /dev/null
    printf 'time 05:05\nwait 10000s\n' > long
    start waiting "$TAPLINE" watch --attach --sockets "$work/sockets" --script long
    local waiting=$last
    eventually shows_time 05:05
    say_to_watch quit
    wait "$watch"
    expect_end 1 "$waiting"
    expect_equal GIF89a "$(head -c 6 end.gif)" "the recording"
}

shows_time() { [[ $(attach describe | json 'it["watch"]["time"]') == "$1" ]]; }

@test "paused watch says so and lines have their numbers" {
    begin_watch
    expect_equal "running paused" "$(attach describe | json 'it["watch"]["phase"]') $(attach pause | json 'it["watch"]["phase"]')" "the phases"
    expect_equal running "$(attach resume | json 'it["watch"]["phase"]')" "the phase after that"
    expect_equal "standard input:4: unknown" "$(printf '# one\n\ndescribe\nflyto\n' | attach | tail -n 1 | json '" ".join(it["error"].split()[:3])')" "the line"
}

@test "options that do not fit are refused" {
    local options
    for options in "--attach --headless" "--attach --flash x" "--attach --script x tap" "--process 1" "tap 1"; do
        # shellcheck disable=SC2086
        expect_status 64 "$TAPLINE" watch $options
    done
}
