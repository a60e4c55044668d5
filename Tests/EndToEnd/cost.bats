#!/usr/bin/env bats
# What a peer can cost: connections and open files of the built command.
load ../Support/command
load ../Support/phone
load ../Support/watch

# Runs a command that may open so few files: the limit, the command.
with_open_files() {
    local limit=$1
    shift
    bash -c 'ulimit -S -n "$0" && exec "$@"' "$limit" "$@" 3>&- 4>&- 10>&-
}

# Each takes the link from the other, which is told so and waits for 30 s at least.
@test "two watches with one flash take turns and say so" {
    phone add Milk > /dev/null
    start_phone
    play_script <<< 'wait until synced'
    cp watch.flash clone.flash
    printf 'wait 10000s\n' > script
    local flash
    for flash in watch.flash clone.flash; do
        start "$flash" "$TAPLINE" watch --sockets sockets --flash "$flash" --profile instant --headless --script script
    done
    eventually both_have_come
    eventually has_text phone.err "disconnected"
}

# Whether there were two more connections than that of the script before.
both_have_come() {
    (($(grep -c "is connecting" phone.err) >= 3))
}

@test "program that may open too few files says so at once" {
    local limit
    expect_failure 1 "Error: 4 open files are too few: raise the limit (ulimit -n 1024)" \
        with_open_files 4 "$TAPLINE" phone list --database db.sqlite --sockets sockets
    for limit in 14 17 19 31; do
        expect_failure 1 "Error: $limit open files are too few: raise the limit (ulimit -n 1024)" \
            with_open_files "$limit" "$TAPLINE" phone serve --database db.sqlite --sockets sockets
    done
}

# At EMFILE a listener whose socket stays readable is asked again after a pause, and says so once.
@test "phone without descriptors neither ends nor fills its log" {
    phone add Milk > /dev/null
    : > phone.out
    start phone with_open_files 40 "$TAPLINE" phone serve --database "$work/phone.sqlite" --sockets "$work/sockets"
    phone=$last
    eventually phone_serves_or_ended
    start crowd python3 "$top/Tests/Support/peer" crowd "$work/sockets/watch.sock"
    eventually grep -qi "too many open files" phone.err
    eventually has_text crowd.out "crowded"
    kill -KILL "$last"
    play_script <<< $'wait until synced\nexpect row 1 Milk\ntap 1\nwait until synced'
    expect_equal Milk "$(checked_titles)" "the history"
    (($(grep -ci "too many open files" phone.err) < 20)) || complain "the log is filled: $(head -n 30 phone.err)"
}
