#!/usr/bin/env bats
# The soak, which stands beside the command: the same story every time, ranges and their reports, and the end of its workers.
load ../Support/command
: "${SOAK:=$(dirname "$TAPLINE")/soak}"

# A report without the seconds that it took.
untimed() {
    sed -E 's/"seconds":[0-9.e+-]+,//'
}

@test "a seed tells the same story in every process, which ends with the promises" {
    "$SOAK" --seed 3 > first.out
    "$SOAK" --seed 3 > second.out
    cmp first.out second.out
    expect_equal "Every promise was kept." "$(tail -n 1 first.out)" "the last line of a story"
}

@test "a range is the same in one process and in parts in any order" {
    "$SOAK" --seeds 0-2 --processes 1 --json | untimed > whole.json
    "$SOAK" --seeds 2 --json > late.json
    "$SOAK" --seeds 0-1 --processes 2 --json > early.json
    "$SOAK" --merge late.json early.json --json | untimed > merged.json
    cmp whole.json merged.json || complain "$(cat whole.json merged.json)"
}

@test "a merge tells what is missing and what counts twice" {
    "$SOAK" --seeds 0 --json > parts.json
    cat parts.json parts.json > twice.json
    "$SOAK" --seeds 2 --json >> twice.json
    "$SOAK" --merge twice.json > merged.out
    has_text merged.out "seeds 0, 2: 2 in" || complain "$(cat merged.out)"
    has_text merged.out "MISSING: seeds 1" || complain "$(cat merged.out)"
    has_text merged.out "COUNTED TWICE: seeds 0" || complain "$(cat merged.out)"
}

@test "what cannot be read or written is an error" {
    local arguments
    printf 'neither\n' > other
    for arguments in "--plan other" "--plan missing" "--merge other" "--merge /"; do
        # shellcheck disable=SC2086 # an option and its argument
        "$SOAK" $arguments > soak.out 2> soak.err && complain "soak $arguments says that all is well"
        grep -qE '^Error: (other|missing|/): [^"]+$' soak.err || complain "$arguments: $(cat soak.err)"
        expect_equal 1 "$(wc -l < soak.err)" "the lines of an error"
    done
    "$SOAK" --seeds 0 --json > /dev/full 2> soak.err && complain "a full disk is well"
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
