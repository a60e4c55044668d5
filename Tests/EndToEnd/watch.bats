#!/usr/bin/env bats
# A watch and its phone, as two processes that meet over the socket.
load ../Support/command
load ../Support/phone
load ../Support/watch

@test "item tapped on the watch is in the phones history" {
    phone add Milk Eggs Bread > /dev/null
    start_phone
    play_script << 'END'
wait until synced
expect screen list
expect row 1 Milk
expect row 2 Eggs
tap 2
wait until synced
wait 300ms
expect row 1 Milk
expect row 2 Bread
END
    expect_equal Eggs "$(checked_titles)" "the history"
    expect_equal $'Milk\nBread' "$(open_titles)" "the list"
}

@test "item added with the phone is on the watch" {
    phone add Milk > /dev/null
    start_phone
    start_plain_watch
    eventually has_text watch.out Milk
    phone add "Rye bread" > /dev/null
    eventually has_text watch.out "Rye bread"
    say_to_watch quit
    expect_success_of_script
}

@test "item checked off or removed with the phone leaves the watch" {
    phone add Milk Eggs Bread > /dev/null
    start_phone
    play_script <<< 'wait until synced'
    phone check Milk > /dev/null
    phone remove Eggs > /dev/null
    play_script << 'END'
wait until synced
expect row 1 Bread
END
}

@test "taps without a phone are kept until there is one" {
    numbered_items 4 | import_items
    start_phone
    play_script <<< 'wait until synced'
    kill_phone
    { taps 2 && printf 'expect row 1 Item 3\n'; } | play_script
    expect_equal "" "$(checked_titles)" "the history before the phone is back"
    start_phone
    play_script <<< 'wait until synced'
    expect_equal $'Item 1\nItem 2' "$(checked_titles)" "the history"
}

@test "taps arrive once each while the phone is killed three times" {
    numbered_items 30 | import_items
    start_phone
    { printf 'wait until synced\n' && taps 20 && printf 'wait until synced\n'; } | start_script
    local count
    for count in 4 9 14; do
        eventually has_checked_off "$count"
        kill_phone
        start_phone
    done
    expect_success_of_script
    expect_equal "$(numbered_items 20)" "$(checked_titles)" "the history"
    expect_equal 20 "$(watch_events | wc -l)" "events from the watch"
    expect_equal $'Item 21\nItem 30' "$(open_titles | sed -n '1p;$p')" "what is left"
}

# Whether the phone knows of this number of check-offs. Asking opens the database each time, so it is not asked more than needed.
has_checked_off() {
    (($(checked_titles | grep -c .) >= $1))
}

@test "watch killed in a burst loses and repeats nothing" {
    local count known first='wait until synced'
    numbered_items 60 | import_items
    start_phone
    for count in 3 7 11; do
        # It taps until it is killed, however late that is.
        printf '%s\nrepeat 10000\ntap 1 or nothing\nwait until settled\nwait 50ms\nend\n' "$first" | start_script
        eventually has_checked_off "$count"
        kill_watch
        play_script <<< 'wait until synced'
        known=$(checked_titles | wc -l)
        expect_equal "$(numbered_items "$known")" "$(checked_titles)" "the history after a kill"
        expect_equal "$known" "$(watch_events | wc -l)" "events from the watch"
        first="expect row 1 Item $((known + 1))"
        if ((known == 60)); then first='expect left 0'; fi
    done
}

@test "two watches show one list" {
    phone add Milk Eggs > /dev/null
    start_phone
    start_plain_watch
    eventually has_text watch.out Milk
    patiently <<< $'wait until synced\ntap 1\nwait until synced' > other
    "$TAPLINE" watch --sockets "$work/sockets" --flash "$work/other.flash" --headless --script other
    expect_equal Milk "$(checked_titles)" "the history"
    eventually has_text watch.out "1 left"
    say_to_watch quit
    expect_success_of_script
}

@test "list of ten thousand shows its first and how many more" {
    numbered_items 10000 | import_items
    start_phone
    printf 'wait until synced\nexpect row 1 Item 1\nexpect row 2 Item 2\ndescribe\n' | play_script > described
    has_text described "10000 left" || complain "how many are left: $(cat described)"
    has_text described "9872 more on the phone" || complain "how many are not on the watch: $(cat described)"
}

@test "list tops up as rows go" {
    numbered_items 140 | import_items
    start_phone
    start_plain_watch
    eventually has_text watch.out "12 more on the phone"
    taps 5 | while read -r line; do say_to_watch "$line"; done
    eventually has_text watch.out "135 left"
    eventually has_text watch.out "7 more on the phone"
    say_to_watch quit
    expect_success_of_script
}

@test "odd titles reach the watch and harm nothing" {
    {
        printf 'caf\xff\xe9\n\x1b[31mred\x07\n\xf0\x9f\xa5\x9b milk\n\xd7\x97\xd7\x9c\xd7\x91\n'
        printf 'x%.0s' $(seq 10240)
        printf '\nplain\n'
    } | import_items
    start_phone
    play_script << 'END' > described
wait until synced
describe
screenshot list.png
tap 5
tap 4
wait until synced
END
    if grep -q $'[\x01-\x08\x0b-\x1f]' described; then complain "a control character came out: $(cat -v described)"; fi
    expect_equal $'\x89PNG' "$(head -c 4 list.png)" "the screenshot's first bytes"
    expect_equal 2 "$(checked_titles | wc -l)" "check-offs"
    expect_equal 4 "$(open_titles | wc -l)" "what is left"
}

@test "list and taps survive without a phone at all" {
    printf 'expect screen list\npress crown\nexpect screen face\npress crown\ntap 1 or nothing\ndescribe\n' | play_script > described
    has_text described "no list yet" || complain "the placeholder: $(cat described)"
}

# A limit of file sizes (ulimit -f) is one more way in which a file cannot be written.
@test "flash that may not be written is told and the watch goes on" {
    phone add Milk Eggs > /dev/null
    start_phone
    play_script <<< 'wait until synced'
    kill_phone
    printf 'tap 1\ndescribe\nquit\n' > commands
    local status=0
    # The pipe keeps the limit from what is printed.
    (ulimit -f 1 && watch --plain < commands 2>&1) | cat > described || status=$?
    expect_equal 0 "$status" "the exit status"
    has_text described "flash failing" || complain "the failure: $(cat described)"
    has_text described "Shopping, 1 left" || complain "the list: $(cat described)"
}

# The first file that such a program opens has the number of the standard input or output.
@test "watch without a terminal neither prints into its flash nor reads a script from it" {
    printf 'describe\nquit\n' > script
    watch --headless --script - < script > described
    local mode
    for mode in "--headless --script -" --plain; do
        # shellcheck disable=SC2086
        {
            watch $mode < script >&- || true
            watch $mode < script >&- 2>&- || true
            watch $mode <&- >&- 2>&- || true
        }
        ! grep -qaF "$(head -n 1 described)" watch.flash || complain "the flash has what would be printed"
        expect_equal "$(cat described)" "$(watch --headless --script - < script)" "the watch after $mode"
    done
    watch --plain <&- > out 2> err || true
    ! has_text err "unknown command" || complain "the flash was read: $(cat err)"
}

@test "missing script is an error" {
    expect_failure 1 "nothing-here" watch --headless --script nothing-here
}

@test "socket path that is too long is an error and not tried for ever" {
    printf 'quit\n' > script
    expect_failure 1 "may have 107" watch --headless --script script --sockets "$PWD/$(printf 'x%.0s' {1..120})"
}
