#!/usr/bin/env bats
# Peers that speak badly, newly or not at all, and sockets that are taken or left over.
load ../Support/command
load ../Support/phone
load ../Support/watch

# The rule that the phone still does its work.
expect_phone_works() {
    printf 'wait until synced\nexpect row 1 Milk\ntap 1\nwait until synced\n' | play_script
    expect_equal Milk "$(checked_titles)" "the history"
}

# Goodbye's reason 1 is: another version.

# A peer of the socket in the sockets' directory, in another language: Tests/Support/peer.
peer() {
    python3 "$top/Tests/Support/peer" "$@"
}

@test "malformed frames end their own link and no other" {
    phone add Milk > /dev/null
    start_phone
    peer garbage "$work/sockets/watch.sock"
    expect_phone_works
}

@test "watch of another version is told so" {
    phone add Milk > /dev/null
    start_phone
    peer newer-watch "$work/sockets/watch.sock" > answer
    has_text answer "goodbye 1" || complain "the phone's answer: $(cat answer)"
    expect_phone_works
}

@test "phone of another version leaves the watch working" {
    start peer python3 "$top/Tests/Support/peer" newer-phone "$work/sockets/watch.sock"
    eventually test -S "$work/sockets/watch.sock"
    start_plain_watch
    eventually has_text peer.out "goodbye 1"
    eventually has_text watch.out "no list yet"
    say_to_watch quit
    expect_success_of_script
}

@test "socket already served is an error" {
    phone add Milk > /dev/null
    start_phone
    expect_failure 1 "already served" phone serve
    expect_phone_works
}

@test "socket left over from a crash is taken over" {
    phone add Milk > /dev/null
    start_phone
    kill_phone
    test -S "$work/sockets/watch.sock" || complain "the crash left no socket"
    start_phone
    expect_phone_works
}

@test "change of a program with other sockets reaches the watch" {
    phone add Milk > /dev/null
    start_phone
    start_plain_watch
    say_to_watch "wait until synced"
    eventually has_text watch.out "Milk"
    "$TAPLINE" phone add Figs --database "$work/phone.sqlite" --sockets "$work/elsewhere" > /dev/null
    eventually has_text watch.out "Figs"
    say_to_watch quit
    expect_success_of_script
}

@test "socket directory open to others is refused" {
    chmod 777 "$work/sockets"
    expect_failure 1 "$work/sockets" phone serve
}
