#!/usr/bin/env bats
# The soak, which stands beside the command: the same story every time, ranges, and the end of its workers.
load ../Support/command
: "${SOAK:=$(dirname "$TAPLINE")/soak}"

@test "a seed tells the same story in every process, which ends with the promises" {
    "$SOAK" --seed 3 > first.out
    "$SOAK" --seed 3 > second.out
    cmp first.out second.out
    expect_equal "Every promise was kept." "$(tail -n 1 first.out)" "the last line of a story"
}

@test "a range is the same in one process and in several" {
    "$SOAK" --seeds 0-9 --processes 1 | sed 's/ in .*;/;/' > one.out
    "$SOAK" --seeds 0-9 --processes 2 | sed 's/ in .*;/;/' > two.out
    cmp one.out two.out || complain "$(cat one.out two.out)"
    has_text one.out "seeds 0-9: 10; 0 violations" || complain "$(cat one.out)"
}

@test "what cannot be read or written is an error" {
    local arguments
    printf 'neither\n' > other
    for arguments in "--plan other" "--plan missing" "--plan /"; do
        # shellcheck disable=SC2086 # an option and its argument
        "$SOAK" $arguments > soak.out 2> soak.err && complain "soak $arguments says that all is well"
        grep -qE '^Error: (other|missing|/): [^"]+$' soak.err || complain "$arguments: $(cat soak.err)"
        expect_equal 1 "$(wc -l < soak.err)" "the lines of an error"
    done
    "$SOAK" --seeds 0 > /dev/full 2> soak.err && complain "a full disk is well"
    has_text soak.err "cannot write to the standard output: No space left on device" || complain "$(cat soak.err)"
}

@test "workers end with the command" {
    local worker
    local -a workers
    start pool "$SOAK" --seeds 0-999999 --processes 3
    eventually has_workers "$last" 3
    mapfile -t workers < <(pgrep -P "$last")
    kill -KILL "$last"
    for worker in "${workers[@]}"; do eventually has_ended "$worker"; done
}

# Whether a process has this number of workers.
has_workers() {
    (($(pgrep -c -f -P "$1" -- '--worker') == $2))
}
