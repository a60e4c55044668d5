#!/usr/bin/env bats
# The order in which a list is shopped is learned from trips.
load ../Support/command
load ../Support/phone
load ../Support/watch

# Runs a statement on the phone's database without notifying a process.
change_silently() {
    python3 -c 'import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute(sys.argv[2])
connection.commit()' "$work/phone.sqlite" "$1"
}

# Everything in the history was an hour earlier, on the watches' clocks too: a trip is over after fifteen minutes. What was
# learned with other times is forgotten.
hour_passes() {
    change_silently "UPDATE history SET at = at - 3600000, localTime = localTime - 3600"
    change_silently "DELETE FROM learnedOrder"
}

# A trip on which these are put on the list and checked off, in this order.
make_trip() {
    local title
    phone add "$@" > /dev/null
    for title in "$@"; do phone check "$title" > /dev/null; done
    hour_passes
}

make_essays_trips() {
    make_trip Avocados Eggs Milk
    make_trip Kale Carrots Onions "Bell Peppers" Avocados
}

@test "kale is row 1 on the watch after the two trips of the essays" {
    make_essays_trips
    phone add Eggs Kale > /dev/null
    expect_equal $'Kale\nEggs' "$(open_titles)" "the list"
    start_phone
    play_script << 'SCRIPT'
wait until row 1 Kale
expect row 2 Eggs
tap 1
wait until synced
expect left 1
SCRIPT
    expect_equal Eggs "$(open_titles)" "the list after a tap on row 1"
}

@test "order is printed and explained" {
    make_essays_trips
    local order=$'Kale\nCarrots\nOnions\nBell Peppers\nAvocados\nEggs\nMilk'
    expect_equal "$order" "$(phone order --json | json '"\n".join(it["items"])')" "the order"
    expect_output "Kale is 1 of 7 in Shopping." phone order --explain kale
    has_text status.out "before Carrots, Onions, Bell Peppers" || complain "$(cat status.out)"
    expect_failure 1 'no item "Soap"' phone order --explain Soap
    expect_failure 1 'there is no shop "Corner"' phone order --shop Corner
}

@test "watch follows when a command that reads the list has sorted it" {
    make_essays_trips
    phone add Eggs Kale > /dev/null
    change_silently "UPDATE item SET rank = 4294967295 - rank WHERE checkedAt IS NULL"
    start_phone
    start_script << 'SCRIPT'
wait until row 1 Eggs
wait until synced
describe
wait until row 1 Kale
expect row 2 Eggs
SCRIPT
    eventually has_text watch.out Eggs
    change_silently "DELETE FROM learnedOrder"
    expect_equal $'Kale\nEggs' "$(open_titles)" "the list"
    expect_success_of_script
}

@test "list that its owner arranges stays so and the watch follows" {
    phone add Milk Eggs Kale > /dev/null
    start_phone
    start_script << 'SCRIPT'
wait until row 1 Milk
wait until synced
describe
wait until row 1 Kale
expect row 2 Milk
SCRIPT
    eventually has_text watch.out Milk
    expect_equal 'Moved "Kale" to 1 of 3' "$(phone move kale first)" "what is said"
    expect_success_of_script
    make_trip Soap Eggs Milk Kale
    phone add Kale Milk Eggs > /dev/null
    phone move eggs before milk > /dev/null
    expect_equal $'Kale\nEggs\nMilk' "$(open_titles)" "the arranged list"
    make_trip Soap Tea Rice
    expect_equal $'Kale\nEggs\nMilk' "$(open_titles)" "the list after another trip"
    expect_equal learned "$(phone move --learned --json | json 'it["ordering"]')" "its order"
    expect_equal $'Eggs\nMilk\nKale' "$(open_titles)" "the list as it is shopped"
    expect_failure 1 'no item on "Shopping" matches "Bread"' phone move Bread 1
    phone check Kale > /dev/null
    expect_failure 1 '"Kale" on "Shopping" is checked off: put it back' phone move Kale 1
}

@test "damaged order is learned again" {
    make_essays_trips
    phone add Milk > /dev/null
    change_silently "UPDATE learnedOrder SET memory = zeroblob(100)"
    phone add Eggs Kale > /dev/null
    expect_equal $'Kale\nEggs\nMilk' "$(open_titles)" "the list"
}

@test "shop has an order of its own" {
    make_essays_trips
    expect_output 'Corner: "Shopping", 7 items from 2 trips' phone shop Corner
    expect_output 'Market: "Shopping", 0 items from 0 trips' phone shop Market
    make_trip Milk Eggs Kale
    phone add Eggs Kale Onions Milk > /dev/null
    expect_equal $'Milk\nEggs\nKale\nOnions' "$(open_titles)" "the list in the second shop"
    phone shop Corner > /dev/null
    expect_equal $'Kale\nOnions\nEggs\nMilk' "$(open_titles)" "the list in the first shop"
    expect_equal "Corner Market" "$(phone shops --json | json '" ".join(shop["name"] for shop in it)')" "the shops"
}
