#!/usr/bin/env bats
# What the watch's face shows: tapline phone complication.
load ../Support/command
load ../Support/phone
load ../Support/watch

# The command, and what follows it: `notes add "Market day"`.
notes() {
    local command=$1
    shift
    "$TAPLINE" phone complication "$command" --database "$work/phone.sqlite" --sockets "$work/sockets" "$@"
}

# The texts of the time line, one a line.
shown() {
    notes list --json | json '"\n".join(entry["text"] for entry in it["timeLine"])'
}

# Starts a shell that is a watch and prints what it hears; its process is $shell.
start_shell_watch() {
    start wrist "$TAPLINE" wormhole listen '*' --as watch --json --sockets "$work/sockets"
    shell=$last
}

# How many pushes the shell's watch has heard.
pushes() {
    grep -c '"delivery":"complication"' "$work/wrist.out" || true
}

has_pushes() {
    [[ $(pushes) == "$1" ]]
}

# What is left of the budget of the only watch.
left() {
    "$TAPLINE" wormhole budget --sockets "$work/sockets" | sed 's/.* //'
}

@test "note is shown in the place of the list until it is removed" {
    phone add Milk > /dev/null
    expect_output 'Added note 1: "Shop closes at 20:00", from ' notes add "Shop closes at 20:00" --for 2h
    expect_equal $'Shop closes at 20:00\nMilk' "$(shown)" "the time line"
    notes add "Less than the list" --for 1h --relevance 90 --no-push > /dev/null
    expect_equal $'Shop closes at 20:00\nMilk' "$(shown)" "the time line"
    expect_equal "wanted never" "$(notes list --json | json '" ".join(note["push"] for note in it["notes"])')" "the pushes"
    notes remove 1 > /dev/null
    expect_equal Milk "$(shown)" "the time line"
    expect_output 'Removed note 2: "Less than the list"' notes remove --all
    expect_equal "There was no note" "$(notes remove --all)" "what is removed once more"
    expect_output '1 left, next "Milk"' notes list
}

@test "note begins and ends when it is said" {
    TZ=Europe/Berlin notes add "Market day" --at "2090-06-10 08:00" --until 14:00 --json > added
    expect_equal "2090-06-10T06:00:00.000Z 2090-06-10T12:00:00.000Z" "$(json 'it["from"] + " " + it["until"]' < added)" \
        "the times"
    expect_equal "2090-06-10T06:00:00.000Z" "$(notes list --json | json 'it["timeLine"][0]["from"]')" "the time line"
    expect_equal "2090-06-10 08:00  2090-06-10 14:00        150  Market day" \
        "$(TZ=Europe/Berlin notes list | sed -n 2p)" "the table"
}

@test "zone of the machine may be a rule of posix" {
    TZ='<+03>-3' notes add Tea --at "2090-06-10 08:00" > added
    has_text added "from 2090-06-10 08:00" || complain "$(cat added)"
    TZ=CET-1CEST,M3.5.0,M10.5.0/3 notes add Cake --at "2090-06-10 08:00" > /dev/null
    TZ=CET-1CEST,M3.5.0,M10.5.0/3 notes add Soup --at "2090-12-10 08:00" > /dev/null
    expect_equal "2090-06-10T05:00:00.000Z 2090-06-10T06:00:00.000Z 2090-12-10T07:00:00.000Z" \
        "$(notes list --json | json '" ".join(note["from"] for note in it["notes"])')" "the times"
    phone add Milk > /dev/null
    local time
    time=$(phone history --json | json 'it[-1]["time"][11:13]')
    expect_equal "$(((10#$time + 3) % 24))" "$((10#$(TZ='<+03>-3' phone history | tail -n 1 | cut -c 12-13)))" "the hour in the history"
}

@test "note that cannot be kept is an error of one line" {
    expect_failure 1 "over already" notes add Late --until "2020-01-01 10:00"
    expect_failure 1 "end before it begins" notes add Late --at "2090-01-02 10:00" --until "2090-01-02 09:00"
    expect_failure 1 "at least one visible character" notes add $'\e\a'
    expect_failure 1 "49 bytes, and a watch shows 48" notes add "$(printf 'x%.0s' {1..49})"
    expect_failure 1 "a time such as 18:30" notes add Late --at tomorrow
    expect_failure 1 "above 0" notes add Late --for 0s
    expect_failure 1 "a watch's calendar ends in 2106" notes add Late --at "2200-01-01 10:00"
    notes add $'Two\nlines \e[31mred' > added
    expect_equal 1 "$(wc -l < added)" "the lines about a note of two"
    expect_failure 1 "there is no note 99" notes remove 1 99
    expect_equal 1 "$(notes list --json | json 'len(it["notes"])')" "the notes"
}

@test "running host gives a note to its watches at once and pushes it" {
    phone add Milk > /dev/null
    start_phone
    start_shell_watch
    eventually has_text wrist.out '"name":"complication"'
    has_pushes 0 || complain "a push without a note: $(cat wrist.out)"
    expect_equal 50 "$(left)" "the budget"
    notes add "Shop closes at 20:00" --for 2h > /dev/null
    eventually has_text wrist.out "Shop closes at 20:00"
    eventually has_pushes 1
    expect_equal 49 "$(left)" "the budget"
    notes add "Quiet" --for 1h --relevance 160 --no-push > /dev/null
    eventually has_text wrist.out Quiet
    phone add Eggs > /dev/null
    eventually has_text wrist.out Eggs
    expect_equal "1 49" "$(pushes) $(left)" "pushes, and what is left"
    # Another one is pushed, so what came before it is no later push.
    notes add "Last" --for 1h --relevance 170 > /dev/null
    eventually has_pushes 2
    expect_equal 48 "$(left)" "the budget"
}

@test "watch shows a note when its list is empty" {
    phone add Milk > /dev/null
    phone check Milk > /dev/null
    start_phone
    notes add "Market day" --for 2h > /dev/null
    play_script << 'END'
wait until synced
expect complication Market day
END
}

@test "item that is renamed is renamed on the watch and in the history" {
    phone add Milk Eggs > /dev/null
    printf 'Rye\n' | import_items
    start_phone
    start_plain_watch
    eventually has_text watch.out Milk
    expect_output 'Renamed "Milk" to "Oat milk"' phone rename milk "Oat milk"
    eventually has_text watch.out "Oat milk"
    say_to_watch quit
    expect_success_of_script
    expect_equal $'Oat milk\nEggs\nRye' "$(open_titles)" "the list"
    expect_equal "added added added renamed" \
        "$(phone history --json | json '" ".join(entry["event"] for entry in it)')" "the history"
    expect_equal "command command import command" \
        "$(phone history --json | json '" ".join(entry["origin"] for entry in it)')" "the origins"
    expect_equal "Milk" "$(phone history --event renamed --json | json 'it[0]["formerTitle"]')" "the title before"
}
