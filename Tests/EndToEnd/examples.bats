#!/usr/bin/env bats
# The examples for people who use Tapline, as their first lines say: Tests/Examples. Tests/EndToEnd/caldav.bats shares a list.
load ../Support/command

setup_file() {
    examples=$(cd "$BATS_TEST_DIRNAME/../Examples" && pwd)
    export examples
    # As on a user's PATH.
    ln -s "${TAPLINE:-$examples/../../.build/debug/tapline}" "$BATS_FILE_TMPDIR/tapline"
    export PATH="$BATS_FILE_TMPDIR:$PATH"
}

@test "run the watch" {
    printf 'tap 1\nwait until synced\nquit\n' | "$examples/run-the-watch" > out
    has_text out 'Milk' || complain "no list: $(cat out)"
    grep -q 'checked.*Milk' out || complain "the phone does not know of the tap: $(cat out)"
}

@test "script it in CI" {
    "$examples/script-in-ci" results.xml > out || complain "$(cat out)"
    has_text out '2 passed, 0 failed' || complain "$(cat out)"
    has_text results.xml 'tests="2"' || complain "$(cat results.xml)"
}

# There is no adapter here: the commands exist, and have the options that the example gives them.
@test "pair a dongle" {
    local side option
    local -a words
    mkdir words
    printf '#!/bin/sh\necho "$@" >> words/said\n' > words/tapline
    chmod +x words/tapline
    for side in watch phone; do
        PATH="$PWD/words:$PATH" "$examples/pair-a-dongle" "$side"
        PATH="$PWD/words:$PATH" "$examples/pair-a-dongle" "$side" hci1
    done
    expect_equal 6 "$(wc -l < words/said)" "commands"
    while read -r -a words; do
        # The words before the first option are the command.
        # shellcheck disable=SC2046
        "$TAPLINE" $(sed 's/ --.*//' <<< "${words[*]}") --help > help 2>&1 || complain "tapline ${words[*]}: $(cat help)"
        for option in "${words[@]}"; do
            [[ $option != --* ]] || grep -qw -e "$option" help || complain "tapline ${words[*]}: no $option"
        done
    done < words/said
    expect_failure 64 usage "$examples/pair-a-dongle"
}

@test "send your own messages" {
    mkdir -m 700 ends
    local program
    program=$(dirname "$TAPLINE")/OwnMessages
    # Lines are written one by one, as in a terminal.
    start phone stdbuf -oL "$program" phone ends
    "$program" watch ends > out 2> errors
    has_text out 'lap 3 took 63 s' || complain "no answer: $(cat out errors)"
    has_text out 'the score is applied' || complain "no fate: $(cat out errors)"
    eventually has_text phone.out 'score 2 : 1'
}
