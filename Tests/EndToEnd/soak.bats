#!/usr/bin/env bats
# `tapline soak`: the same story every time, ranges and what is made of them, and the end of its workers.
load ../Support/command

soak() {
    "$TAPLINE" soak "$@" || (($? == 1))
}

# A report without the seconds that it took.
untimed() {
    sed -E 's/"seconds":[0-9.e+-]+,//'
}

@test "a seed tells the same story in every process" {
    local seed
    for seed in 3 21; do
        soak --seed "$seed" > first.out
        soak --seed "$seed" > second.out
        cmp first.out second.out || complain "seed $seed tells two stories"
        [[ -s first.out ]] || complain "seed $seed has no story"
    done
}

@test "a range is the same in one process and in parts in any order" {
    soak --seeds 0-59 --processes 1 --json | untimed > whole.json
    soak --seeds 52-59 --processes 2 --json > late.json
    soak --seeds 0-51 --processes 2 --json > early.json
    soak --merge late.json early.json --json | untimed > merged.json
    cmp whole.json merged.json || complain "$(cat whole.json merged.json)"
}

@test "a merge tells what is missing and what counts twice" {
    soak --seeds 0-4 --json > parts.json
    soak --seeds 3-6 --json >> parts.json
    soak --seeds 9 --json >> parts.json
    soak --merge parts.json > merged.out
    has_text merged.out "seeds 0-6, 9: 8 in" || complain "$(cat merged.out)"
    has_text merged.out "MISSING: seeds 7-8" || complain "$(cat merged.out)"
    has_text merged.out "COUNTED TWICE: seeds 3-4" || complain "$(cat merged.out)"
    grep -qE '^faults: accountClockJump [0-9]+, .*, bitRot [0-9]+, ' merged.out || complain "$(cat merged.out)"
}

@test "a story ends with what has become of the promises" {
    soak --seed 3 > story.out
    expect_equal "Every promise was kept." "$(tail -n 1 story.out)" "the last line of a story"
}

@test "a report that cannot be written is an error" {
    local arguments
    printf '{"flash":"typical","items":[1],"numbers":"usual","seed":1,"watches":1,"events":[]}\n' > empty.plan
    for arguments in "--seeds 0-1" "--seeds 0-1 --json" "--seed 1" "--plan empty.plan"; do
        # shellcheck disable=SC2086
        "$TAPLINE" soak $arguments > /dev/full 2> soak.err && complain "soak $arguments says that all is well"
        has_text soak.err "cannot write to the standard output: No space left on device" || complain "$(cat soak.err)"
    done
}

@test "a file that is none of its own is named" {
    printf 'neither\n' > other
    for arguments in "--plan other" "--plan missing" "--plan /" "--merge other" "--merge missing"; do
        # shellcheck disable=SC2086
        "$TAPLINE" soak $arguments > soak.out 2> soak.err && complain "soak $arguments says that all is well"
        grep -qE '^Error: (other|missing|/): [^"]+$' soak.err || complain "$arguments: $(cat soak.err)"
        expect_equal 1 "$(wc -l < soak.err)" "the lines of an error"
    done
    "$TAPLINE" soak --seeds 0-1 --seed 1 2> soak.err && complain "two things at once"
    has_text soak.err "Use one of --seeds, --seed, --plan and --merge." || complain "$(cat soak.err)"
}

# Whether a process has this number of workers.
has_workers() {
    (($(pgrep -c -f -P "$1" -- 'soak --worker') == $2))
}

@test "workers end with the command" {
    local pool worker
    local -a workers
    "$TAPLINE" soak --seeds 0-999999 --processes 3 > soak.out 2> soak.err &
    pool=$!
    eventually has_workers "$pool" 3
    mapfile -t workers < <(pgrep -P "$pool")
    kill -KILL "$pool"
    for worker in "${workers[@]}"; do eventually has_ended "$worker"; done
}

# So that the command knows at which seed it has ended, where it does.
@test "a worker says each seed before it runs it" {
    printf '7-9\n11\n' | "$TAPLINE" soak --worker > worker.out
    expect_equal "7 8 9 { 11 { " "$(sed 's/^{.*/{/' worker.out | tr '\n' ' ')" "what a worker says"
}
