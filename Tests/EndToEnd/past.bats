#!/usr/bin/env bats
# Past items: what the watch offers its wearer to add back.
load ../Support/command
load ../Support/phone
load ../Support/watch

# A phone with one open item, and two that were bought.
begin() {
    printf 'Milk\nBread\nEggs\n' | import_items
    phone check Bread Eggs > /dev/null
    start_phone
}

@test "what was bought is one swipe away and one tap adds it" {
    begin
    play_script << 'END'
wait until synced
expect row 1 Milk
swipe left
expect screen past
expect text [+] Bread
expect text [+] Eggs
expect no row Milk
tap 1
tap 1
expect text no past items
swipe right
expect screen list
expect left 3
wait until settled
wait until synced
END
    expect_equal $'Bread\nEggs\nMilk' "$(open_titles | sort)" "the list"
    expect_equal $'added\nadded' "$(watch_events)" "what the watch did"
}

@test "what is offered is printed with the reasons" {
    begin
    phone past > offer
    expect_equal "Shopping: the watch offers 2 past items" "$(head -n 1 offer)" "the head"
    grep -qE '^1  Bread: bought once, on 20[0-9-]{8}$' offer || complain "$(cat offer)"
    expect_equal "Bread Eggs 1" "$(phone past --json | json '"%s %s %d" % (it["items"][0]["title"], it["items"][1]["title"],
        it["items"][0]["purchases"])')" "the JSON"
    phone add Bread Eggs > /dev/null
    expect_equal "Shopping: the watch offers 0 past items" "$(phone past)" "nothing"
}

@test "it works without the phone and is on the phone once" {
    begin
    play_script <<< 'wait until synced'
    kill_phone
    play_script << 'END'
wait 1s
swipe left
tap 1
swipe right
expect left 2
END
    play_script <<< 'expect left 2'
    start_phone
    play_script <<< $'wait until synced\nexpect left 2'
    expect_equal 2 "$(open_titles | wc -l)" "open items"
    expect_equal added "$(watch_events)" "what the watch did"
}

@test "what was added on the phone meanwhile is there once" {
    begin
    play_script <<< 'wait until synced'
    kill_phone
    play_script << 'END'
wait 1s
swipe left
tap 1
tap 1
END
    phone add bread > /dev/null
    start_phone
    play_script <<< 'wait until synced'
    expect_equal $'bread\nEggs\nMilk' "$(open_titles | sort -f)" "the list"
    play_script <<< $'wait until synced\nexpect left 3'
}

@test "a tap beside the past items fails" {
    begin
    patiently <<< $'wait until synced\nswipe left\ntap 3' > script
    expect_failure 1 "no row there: the last one is row 2" watch --headless --script script
}
