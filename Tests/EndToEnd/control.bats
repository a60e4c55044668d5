#!/usr/bin/env bats
# The watch's time and what is wrong with it, changed while it runs with its phone.
load ../Support/command
load ../Support/phone
load ../Support/watch

# A phone with a list of three.
serve_three() {
    phone add Milk Eggs Bread > /dev/null
    start_phone
}

@test "an hour passes in seconds and the phone keeps up" {
    serve_three
    patiently > "$work/script" << 'END'
wait until synced
tap 1
wait until synced
wait 3600s
expect screen list
expect row 1 Eggs
wait until synced
END
    watch --speed 1000 --headless --script "$work/script"
    expect_equal Milk "$(checked_titles)" "the history"
}

@test "a slow watch is in step as well" {
    serve_three
    patiently > "$work/script" << 'END'
wait until synced
tap 3
wait until synced
END
    watch --speed 0.1 --headless --script "$work/script"
    expect_equal Bread "$(checked_titles)" "the history"
}

@test "a paused watch takes one thing a step" {
    serve_three
    start_plain_watch --profile memory-lcd
    eventually has_text watch.out "connected, in sync"
    say_to_watch pause
    eventually has_text watch.out "paused"
    say_to_watch tap 1
    say_to_watch step
    eventually has_text watch.out "paused after a touch"
    say_to_watch step
    eventually has_text watch.out "paused after a lift of the finger"
    say_to_watch step
    say_to_watch step
    eventually has_text watch.out "paused after list model began"
    expect_equal "" "$(checked_titles)" "the history of a paused watch"
    say_to_watch resume
    eventually has_text watch.out "normal speed, no faults"
    eventually has_checked Milk
    say_to_watch quit
    expect_success_of_script
}

@test "what would never end while the watch is paused is refused" {
    printf 'pause\nwait 1s\n' > "$work/script"
    expect_refusal 1 "script:2: wait: the watch is paused; resume or step it first" \
        watch --headless --script "$work/script"
}

@test "faults cost time and no data" {
    numbered_items 12 | import_items
    start_phone
    play_script << 'END'
wait until synced
fault loss 60
fault jitter 50
fault flash maximum
fault battery low
tap 1
wait until settled
tap 1
wait until settled
fault phone 500
tap 1
wait until settled
tap 1
wait until synced
fault none
tap 1
wait until synced
END
    expect_equal "$(numbered_items 5)" "$(checked_titles)" "the history"
}

@test "a cut link comes back and loses nothing" {
    serve_three
    start_plain_watch
    eventually has_text watch.out "connected, in sync"
    say_to_watch fault cut
    eventually has_text watch.out "phone not connected"
    say_to_watch tap 1
    eventually has_text watch.out "1 message waiting"
    expect_equal "" "$(checked_titles)" "the history while the link is cut"
    say_to_watch fault cut 1s
    eventually has_checked Milk
    say_to_watch quit
    expect_success_of_script
}

# Whether the phone knows that an item was checked off.
has_checked() {
    [[ $'\n'$(checked_titles)$'\n' == *$'\n'"$1"$'\n'* ]]
}

@test "a loss of everything ends the link until it is over" {
    serve_three
    start_plain_watch --speed 10
    eventually has_text watch.out "connected, in sync"
    say_to_watch fault loss 100
    eventually has_text watch.out "phone not connected"
    say_to_watch tap 2
    say_to_watch fault none
    eventually has_checked Eggs
    say_to_watch quit
    expect_success_of_script
}

@test "a legacy tap over slow air with a slow phone ends well" {
    serve_three
    start_plain_watch --profile memory-lcd --handler legacy
    eventually has_text watch.out "connected, in sync"
    say_to_watch fault phone 3000
    say_to_watch tap 1
    eventually has_checked Milk
    say_to_watch quit
    expect_success_of_script
}

@test "speeds out of range are refused" {
    expect_refusal 64 "--speed takes 0.1 to 1000, such as 10, and not '1001'." watch --speed 1001
    expect_refusal 64 "--speed takes 0.1 to 1000, such as 10, and not 'fast'." watch --speed fast
    printf 'speed 0\n' > "$work/script"
    expect_refusal 1 'script:1: "0" does not fit; allowed: speed N with N 0.1 to 1000' \
        watch --headless --script "$work/script"
    printf 'fault loss 101\n' > "$work/script"
    expect_refusal 1 'script:1: "101" does not fit; allowed: fault loss PERCENT with PERCENT 0 to 100' \
        watch --headless --script "$work/script"
}
