#!/usr/bin/env bats
# Scripts with a phone of their own, and directories of scripts.
load ../Support/command

# Plays the script on standard input with a phone of its own, and takes its exit status. More options may follow.
play() {
    patiently > "$work/script"
    "$TAPLINE" watch --headless --with-phone --script "$work/script" "$@"
}

expect_nothing_left() {
    expect_equal "" "$(find "$XDG_RUNTIME_DIR" -mindepth 1)" "what is left of the script's files"
    expect_equal "" "$(find "$XDG_DATA_HOME" -mindepth 1)" "what was written to the owner's place"
}

# The rule that the script on standard input fails with one line that ends as $1.
expect_line() {
    local status=0
    play > out 2> err || status=$?
    expect_equal 1 "$status" "the exit status"
    expect_equal 1 "$(wc -l < err)" "lines of error ($(cat err))"
    [[ $(cat err) == *"script:$1" ]] || complain "not '$1', but: $(cat err)"
    expect_nothing_left
}

@test "script with a phone of its own sees what it adds" {
    play << 'END' || complain "status $?"
phone add Milk
phone add Rye bread
phone add Eggs
wait until row 1 Milk
expect row 2 Rye bread
expect text 2 [ ] Rye
expect left 3
tap 1
expect haptics 1
expect updated within 900ms
expect felt within 900ms
expect settled within 900ms
wait until settled
expect no row Milk
wait until synced
expect acknowledged within 200ms
phone check Eggs
expect row 1 Rye bread
expect no row Eggs
expect complication Rye bread
phone remove 1
expect left 0
expect text nothing to check off
repeat 3
phone add Tea
end
expect left 3
END
    expect_nothing_left
}

@test "each failure names its line and leaves nothing" {
    local milk=$'phone add Milk\nwait until row 1 Milk'
    expect_line '3: expected tap 2 to check off a row, found no row there: the last one is row 1; allowed if it may miss: tap 2 or nothing' \
        <<< "$milk"$'\ntap 2\nwait 1s'
    expect_line '4: expected tap 1 to check off a row, found a row that the tap of line 3 has checked off; allowed if it may miss: tap 1 or nothing' \
        <<< "$milk"$'\ntap 1\ntap 1\nexpect left 0'
    expect_line '3: expected 2 left, found 1' <<< "$milk"$'\nexpect left 2'
    expect_line '3: expected no row "Milk", found it in row 1' <<< "$milk"$'\nexpect no row Milk'
    expect_line '3: expected complication "Eggs", found "Milk"' <<< "$milk"$'\nexpect complication Eggs'
    expect_line '3: expected 1 haptic, found 0' <<< "$milk"$'\nexpect haptics 1'
    expect_line '3: expected row 1 "Eggs" within 50 ms, found "Milk"' <<< "$milk"$'\nwait until row 1 Eggs 50ms'
    expect_line '1: the phone: no item on "Shopping" matches "Milk": `tapline phone list --all` shows the items' \
        <<< 'phone check Milk'
    expect_line '2: rows are counted from 1; allowed: tap ROW or tap ROW or nothing, with ROW 1 to 6' <<< $'describe\ntap 0'
    [[ ! -s out ]] || complain "something was done before: $(cat out)"
}

@test "script with a phone of its own gives the same bytes on every machine" {
    local place
    cat > taps.script << 'END'
phone add Milk
phone add Eggs
record panel.gif
tap 1
expect updated within 1ms
expect acknowledged within 40ms
wait until settled
describe
record end
save watch.json
wait 1h
expect updated within 0ms
END
    busy_loop & started+=("$!")
    busy_loop & started+=("$!")
    for place in first second; do
        mkdir "$place"
        cp taps.script "$place"
        if TZ=$([[ $place == first ]] && echo UTC || echo Asia/Tokyo) "$TAPLINE" watch --headless --with-phone \
            --profile memory-lcd --script "$place/taps.script" > "$place/out" 2> "$place/err"; then
            complain "a tap takes no time"
        fi
        sed -i "s|$place/||" "$place/err"
    done
    diff -r first second || complain "the second run differs"
    has_text first/err "expected the last tap to be updated within 0 ms, found 0." || complain "$(cat first/err)"
    has_text first/out "1 [ ] Eggs" || complain "$(cat first/out)"
}

busy_loop() {
    while :; do :; done
}

@test "link of a private phone follows its faults" {
    play << 'END' || complain "status $?"
phone add Milk
phone add Eggs
phone add Tea
fault cut
tap 1
phone add Bread
wait 10s
expect text not connected
expect no row Bread
fault open
wait until synced
expect row 3 Bread
fault cut 20s
tap 1
wait until synced
expect left 2
fault loss 100
wait 20s
expect text not connected
fault loss 0
wait until synced
fault phone 10000
tap 1
wait 5s
expect text 1 message waiting
wait until synced
fault none
restart
wait until synced
expect left 1
END
}

@test "script on virtual time has no pause and no speed" {
    local word
    for word in pause resume step "speed 2"; do
        expect_line "1: ${word% *} needs a watch in real time: leave out --with-phone, whose watch waits for nothing" <<< "$word"
    done
    expect_refusal 64 "--with-phone runs as fast as it can: leave out --speed" \
        "$TAPLINE" watch --headless --with-phone --speed 10 --script script
}

@test "private phone ends with its script on every signal" {
    local signal process
    for signal in INT TERM HUP; do
        printf 'phone add Milk\nwait until row 1 Milk\ndescribe\nrepeat 10000\nwait 10h\nend\n' > script
        # A shell ignores SIGINT for what it starts in the background.
        env --default-signal=INT,TERM,HUP "$TAPLINE" watch --headless --with-phone --script script > "out.$signal" 2> err 3>&- &
        process=$!
        started+=("$process")
        eventually has_text "out.$signal" "1 [ ] Milk"
        [[ -n $(ls "$XDG_RUNTIME_DIR") ]] || complain "no directory while it runs"
        kill -s "$signal" "$process"
        expect_end $((128 + $(kill -l "$signal"))) "$process"
        expect_nothing_left
    done
}

@test "picture is accepted matched and found to differ" {
    mkdir golden
    printf 'phone add Milk\nwait until row 1 Milk\nwait until synced\nexpect screenshot list.png\n' > golden/list.script
    printf 'include list.script\ntap 1\nexpect screenshot list.png\n' > golden/tapped.part
    local -a headless=("$TAPLINE" watch --headless --with-phone --script)
    expect_failure 1 "found no such file; the panel is in golden/list.actual.png, to accept it: mv golden/list.actual.png golden/list.png" \
        "${headless[@]}" golden/list.script
    mv golden/list.actual.png golden/list.png
    "${headless[@]}" golden/list.script || complain "the accepted picture does not match"
    [[ ! -e golden/list.actual.png ]] || complain "a picture was written where nothing failed"
    expect_failure 1 "golden/tapped.part:3: expected the panel as in golden/list.png, found " \
        "${headless[@]}" golden/tapped.part
    expect_equal $'\x89PNG' "$(head -c 4 golden/list.difference.png)" "the difference's first bytes"
    [[ -s golden/list.actual.png ]] || complain "no picture of what the panel shows"
}

write_scripts() {
    mkdir tests
    printf 'phone add Milk\nphone add Eggs\n' > tests/two-items.part
    printf 'include two-items.part\nwait until row 2 Eggs\ntap 1\nwait until synced\nexpect left 1\n' > tests/1-tap.script
    printf 'include two-items.part\nwait until row 2 Eggs\n# Not there.\ndescribe\nexpect row 1 <Bread> & "butter"\n' > tests/2-wrong.script
    printf 'expect left 0\nexpect text nothing on the list yet\nexpect text in sync\n' > tests/3-fresh.tapline
    printf 'fly\n' > tests/4-broken.script
    printf 'include two-items.part\nexpect left 2\n' > tests/5-last.script
}

@test "directory of scripts plays each on a new watch and reports" {
    write_scripts
    expect_status 1 "$TAPLINE" watch --headless --with-phone --scripts tests --junit report.xml
    mv status.out out
    expect_equal "" "$(cat status.err)" "the errors"
    expect_equal "3 passed, 2 failed" "$(tail -n 1 out)" "the last line"
    expect_equal "passed 1-tap.script FAILED 2-wrong.script passed 3-fresh.tapline FAILED 4-broken.script passed 5-last.script" \
        "$(awk '$3 == "s" { printf "%s%s %s", space, $1, $4; space = " " }' out)" "the scripts"
    has_text out 'tests/2-wrong.script:5: expected row 1 "<Bread> & "butter"", found "Milk"' || complain "why: $(cat out)"
    has_text out 'tests/4-broken.script:1: unknown command "fly"' || complain "why: $(cat out)"
    has_text out '1 [ ] Milk' || complain "what the failed script has printed: $(cat out)"
    has_text report.xml '<testsuite name="tests" tests="5" failures="2" errors="0" skipped="0"' || complain "$(cat report.xml)"
    has_text report.xml 'tests/2-wrong.script:5: expected row 1 &quot;&lt;Bread&gt; &amp; &quot;butter&quot;&quot;' || complain "$(cat report.xml)"
    expect_nothing_left
    rm tests/2-wrong.script tests/4-broken.script
    "$TAPLINE" watch --headless --with-phone --scripts tests/ --json > out || complain "status $?"
    has_text out '"passed" : 3' || complain "$(cat out)"
}

@test "twenty taps have the same marks to the byte on any machine" {
    local row mark
    mkdir tests
    {
        for row in {1..24}; do echo "phone add Thing$row"; done
        for row in {1..20}; do
            echo "tap 1"
            echo "wait until settled"
            for mark in handled updated settled durable felt sent committed acknowledged; do echo "expect $mark within 1s"; done
        done
        printf 'wait until synced\nexpect left 4\nwait 1h\n'
    } > tests/twenty.script
    local -a play=("$TAPLINE" watch --headless --with-phone --profile memory-lcd --scripts tests --json)
    "${play[@]}" > first || complain "status $?"
    "${play[@]}" > second || complain "status $?"
    cmp first second || complain "the two differ"
    expect_equal "20 taps, 8 marks, more than an hour: True" "$(python3 -c "
import json
script = json.load(open('first'))['scripts'][0]
taps = script['taps']
print(len(taps), 'taps,', len(taps[19]['microseconds']), 'marks, more than an hour:', script['seconds'] > 3600)
")" "the report"
}

@test "change after a reset is not awaited by the watch that was" {
    mkdir tests
    printf 'reset\nwait until synced\nphone add Rye\n' > tests/reset.script
    "$TAPLINE" watch --headless --with-phone --scripts tests --json > out || complain "status $?"
    expect_equal True "$(python3 -c "import json; print(json.load(open('out'))['seconds'] < 60)")" "less than a minute"
}

@test "change right after a restart is awaited by the watch" {
    printf 'restart\nphone add Rye\nexpect left 1\n' > script
    "$TAPLINE" watch --headless --with-phone --script script || complain "status $?"
}

@test "directory that cannot be played is refused" {
    local -a scripts=("$TAPLINE" watch --headless --with-phone --scripts)
    expect_failure 1 "none: the directory of scripts cannot be read (No such file or directory)" "${scripts[@]}" none
    mkdir empty
    expect_failure 1 "empty: no script in it: no name ends with .script or .tapline" "${scripts[@]}" empty
    printf 'describe\n' > empty/a.script
    expect_failure 1 "/nowhere/report.xml: the report cannot be written (No such file or directory)" \
        "${scripts[@]}" empty --junit /nowhere/report.xml
    expect_equal "" "$(cat status.out)" "what is printed of scripts that are not played"
    mkdir empty/b.script
    expect_status 1 "${scripts[@]}" empty
    expect_equal "1 passed, 1 failed" "$(tail -n 1 status.out)" "the last line"
    has_text status.out 'empty/b.script: the script cannot be read (Is a directory)' || complain "$(cat status.out)"
    expect_refusal 64 "leave out --flash" "${scripts[@]}" empty --flash flash
    expect_refusal 64 "leave out --link and --sockets" "${scripts[@]}" empty --sockets sockets
    expect_refusal 64 "--junit needs --scripts" "$TAPLINE" watch --headless --script a --junit b
    expect_refusal 64 "--with-phone needs --headless" "$TAPLINE" watch --with-phone
}
