#!/usr/bin/env bats
# `tapline lab`: its steps, the reports and what is said of bad input.
load ../Support/command

lab() {
    "$TAPLINE" lab --counted --items 8 --database 128 --taps 2 "$@"
}

@test "a row for each of the nineteen steps and of those that are added tells the story, and the reports are written" {
    lab --json lab.json --html lab.html > lab.out
    expect_equal "16 7" "$(grep -cE '^ {2,3}[0-9]+ ' lab.out) $(grep -cE '^ {0,1}\+[0-9]+[a-d]? ' lab.out)" "rows"
    grep -qE '^ +8  complication.* slow$' lab.out || complain "step 8 is not slow: $(cat lab.out)"
    grep -qE '^ +17  .*made asynchronous$' lab.out || complain "step 17 is not asynchronous: $(cat lab.out)"
    grep -qE 'shipping updates [0-9,]+ times as fast as legacy' lab.out || complain "no comparison: $(cat lab.out)"
    expect_equal "memory-lcd 23 True" "$(json '"%s %d %s" % (it["profile"], len(it["steps"]), \
        it["shipping"]["marks"]["updated"]["p99"] <= 8_000 < it["legacy"]["marks"]["updated"]["p50"])' < lab.json)" "the JSON"
    expect_equal "4 True" "$(json '"%d %s" % (len(it["essayCases"]), \
        it["phone"][1]["time"] + it["phone"][0]["requests"] * it["phone"][0]["server"] == it["phone"][0]["time"])' < lab.json)" "the JSON"
    grep -q '</html>' lab.html || complain "the page has no end"
    if grep -qE ' src=|href=' lab.html; then complain "the page needs something else"; fi
}

@test "a browser draws the page from the file alone" {
    command -v chromium > /dev/null || skip "Chromium is not installed"
    lab --html lab.html > /dev/null
    chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$PWD/lab.html" > page 2> said
    local part
    for part in 'A tap, [0-9.,]* times faster · Tapline lab' 'The nineteen steps' '<h2>Where the time goes' 'beside the essay' \
        '<h2>Every mark' 'When the two major ones are large' '<h2>The phone’s half' 'What determines legacy' 'the panel’s floor' 'Longer lists, lost packets' 'How to read this'; do
        grep -q "$part" page || complain "the page lacks '$part': $(tail -c 2000 page)"
    done
    expect_equal 6 "$(grep -o 'role="img"' page | wc -l)" "drawings"
}

@test "two runs with one seed write the same and another seed does not" {
    lab --steps 1 --json one.json > /dev/null
    lab --steps 1 --json two.json > /dev/null
    lab --steps 1 --seed 2 --json other.json > /dev/null
    cmp one.json two.json
    if cmp -s one.json other.json; then complain "the seed means nothing"; fi
}

@test "one handler alone has all its marks and stages" {
    lab --handler legacy --json - > legacy.json
    expect_equal "legacy 9 True" \
        "$(json '"%s %d %s" % (it["handler"], len(it["stages"]), it["marks"]["acknowledged"]["p50"] > 0)' < legacy.json)" "the JSON"
    expect_output 'message to the phone' lab --handler shipping
}

@test "progress is plain lines without a terminal" {
    lab --steps 8 --json - > report 2> said
    expect_equal 1 "$(json 'len(it["steps"])' < report)" "the JSON of standard output"
    grep -qE '^0 of [0-9]+  ' said || complain "no beginning: $(cat said)"
    expect_equal "0" "$(grep -cvE '^[0-9]+ of [0-9]+  ' said)" "other lines ($(cat said))"
    lab --handler shipping > /dev/null 2> said
    expect_equal "0 of 1  shipping" "$(cat said)" "what is said of one handler"
}

# Prints a report with the times of all marks and stages multiplied, and rounded down.
grown() {
    python3 - "$1" "$2" << 'EOF'
import json, sys
report = json.load(open(sys.argv[1]))
handlers = [report[name] for name in ("legacy", "shipping") if name in report] or [report]
def grow(times):
    for name in ("p50", "p90", "p99", "max"):
        times[name] = int(times[name] * float(sys.argv[2]))
for handler in handlers:
    for value in handler["marks"].values(): grow(value)
    for stage in handler["stages"]: grow(stage["time"])
json.dump(report, sys.stdout)
EOF
}

# The median time to the update, in µs, in the report of one handler.
updated_p50() {
    json 'it["marks"]["updated"]["p50"]' < "$1"
}

# Compares two reports: the expected status, the reports, options. The text is in comparison.out.
compare() {
    expect_status "$1" "$TAPLINE" lab compare "${@:2}"
    mv status.out comparison.out
}

@test "two reports are compared and a regression fails" {
    lab --handler shipping --json main.json > /dev/null
    lab --handler shipping --json new.json > /dev/null
    compare 0 main.json new.json --tolerance 0
    grep -qE '^([0-9]+) of \1 figures are kept$' comparison.out || complain "not the same: $(cat comparison.out)"
    grown main.json 1.03 > slower.json
    compare 1 main.json slower.json
    tail -n 1 comparison.out \
        | grep -E '^[0-9]+ of [0-9]+ figures are slower by more than 2 %: .* of shipping .* -> .* \(\+[0-9.]+ %\)$' > /dev/null \
        || complain "no finding in the last line: $(tail -n 1 comparison.out)"
    local old new
    old=$(updated_p50 main.json) new=$(updated_p50 slower.json)
    grep -qE "^  updated +p50 +$old µs +$new µs +\\+[0-9.]+ %  slower\$" comparison.out \
        || complain "no row of $old and $new µs: $(cat comparison.out)"
    compare 0 main.json slower.json --tolerance 4%
    compare 0 slower.json main.json
    compare 1 main.json slower.json --json comparison.json
    expect_equal "2 True [$old, $new]" "$(json '"%d %s %s" % (it["tolerance"], it["regressions"] > 10, \
        [(f["old"], f["new"]) for f in it["figures"] if f.get("mark") == "updated" and f["percentile"] == "p50"])' \
        < comparison.json | tr -d '()')" "the JSON"
}

@test "the whole lab is compared and what is lost fails" {
    lab --steps 1 --json main.json > /dev/null
    lab --handler shipping --json shipping.json > /dev/null
    compare 0 main.json main.json --tolerance 0
    compare 0 shipping.json main.json
    compare 1 main.json shipping.json
    tail -n 1 comparison.out | grep 'are lost: handled p50 of legacy is gone' > /dev/null || complain "$(cat comparison.out)"
    grown main.json 1.03 > slower.json
    compare 1 main.json slower.json
    has_text comparison.out "of legacy" || has_text comparison.out "of shipping" || complain "$(cat comparison.out)"
}

@test "what cannot be compared is refused in a line" {
    lab --handler shipping --json main.json > /dev/null
    lab --handler shipping --seed 2 --json seed.json > /dev/null
    lab --handler shipping --profile colour-spi --json profile.json > /dev/null
    lab --handler legacy --json legacy.json > /dev/null
    sed 's/"processor" : "counted"/"processor" : "executed"/' main.json > executed.json
    sed 's/"format" : 2/"format" : 99/' main.json > format.json
    sed 's/"panel.bus_hertz" : .*/"panel.bus_hertz" : 1,/' main.json > number.json
    local hertz
    hertz=$(sed -n 's/.*"panel.bus_hertz" : \([0-9]*\).*/\1/p' main.json)
    head -c 1000 main.json > cut.json
    : > empty.json
    printf '[1]' > other.json
    printf 'no json' > text.json
    local compare=("$TAPLINE" lab compare main.json)
    expect_failure 2 "--seed was 1 and is 2: measure both with the same --seed" "${compare[@]}" seed.json
    expect_failure 2 "the profiles are memory-lcd and colour-spi: measure both" "${compare[@]}" profile.json
    expect_failure 2 "panel.bus_hertz was $hertz and is 1 in the profile memory-lcd" "${compare[@]}" number.json
    expect_failure 2 "one measures shipping and the other legacy: measure the same --handler" "${compare[@]}" legacy.json
    expect_failure 2 "was counted and is executed: measure both with --counted, or both" "${compare[@]}" executed.json
    expect_failure 2 "its format is 99, and this tapline reads 2: measure both" "${compare[@]}" format.json
    local file
    for file in cut.json empty.json other.json text.json; do
        expect_failure 2 "$file: it is no report of the lab, or a part of one: write it" "${compare[@]}" "$file"
    done
    expect_failure 2 "none.json: it cannot be read (No such file or directory): write it" "${compare[@]}" none.json
    expect_failure 2 "it cannot be read (Is a directory)" "${compare[@]}" .
    expect_failure 2 "cannot write nowhere/c.json" "${compare[@]}" main.json --json nowhere/c.json
    local text
    for text in -1 nan "" 2%% 1e3; do
        expect_failure 2 "'$text' is no tolerance: give per cent" "${compare[@]}" main.json --tolerance "$text"
    done
    compare 2 main.json
    compare 2 main.json main.json --taps 5
}

@test "bad input is a line that says what to do" {
    expect_failure 1 "0 taps cannot be measured" "$TAPLINE" lab --taps 0
    expect_failure 1 "the watch holds 1 to 128" "$TAPLINE" lab --items 129
    expect_failure 1 "it holds 128 to 100,000" "$TAPLINE" lab --database 0
    expect_failure 1 "it holds 1 to 100,000" "$TAPLINE" lab --items 8 --database 0
    expect_failure 1 "no steps '0-3'" "$TAPLINE" lab --steps 0-3
    expect_failure 1 "no profile 'wristwatch'" "$TAPLINE" lab --profile wristwatch
    expect_failure 1 "cannot write nowhere/lab.json: there is no directory" "$TAPLINE" lab --json nowhere/lab.json
    expect_failure 1 "it is a directory" "$TAPLINE" lab --html .
    sed 's/clock_hertz: [0-9]*/clock_hertz: -5/' "$top/Simulator/profile.json5" > mine.json5
    expect_failure 1 "mine.json5:" "$TAPLINE" lab --profile ./mine.json5
    printf 'not a profile' > mine.json5
    expect_failure 1 "mine.json5:" "$TAPLINE" lab --profile ./mine.json5
    expect_failure 1 "none.json5: the profile cannot be read (No such file or directory)" \
        "$TAPLINE" lab --profile ./none.json5
}

# A raw image: its vector table and a branch to itself.
make_image() {
    python3 -c 'import struct, sys; sys.stdout.buffer.write(struct.pack("<II", int(sys.argv[1], 16), 0x201).ljust(512, b"\0") + b"\xfe\xe7")' \
        "$1" > "$2"
}

@test "a firmware that cannot be measured is refused in a line" {
    make_image 20010000 watch.bin
    make_image 20040000 other.bin
    expect_failure 1 "none.elf" "$TAPLINE" lab --firmware none.elf --tap 1,2
    expect_failure 1 "outside the RAM of an nRF52832" "$TAPLINE" lab --firmware other.bin --tap 1,2
    printf 'no vectors' > text.bin
    expect_failure 1 "no vector table at 0x20" "$TAPLINE" lab --firmware text.bin --at 0x20 --tap 1,2
    expect_failure 1 "the core has not slept for a second" "$TAPLINE" lab --firmware watch.bin --after '' --tap 1,2
    expect_failure 1 "a touch at 240,0 is outside of the panel" "$TAPLINE" lab --firmware watch.bin --after '' --tap 240,0
    expect_failure 1 'before the taps:2: unknown command "jump"; allowed: tap,' \
        "$TAPLINE" lab --firmware watch.bin --after 'wait 1s; jump' --tap 1,2
    echo 'crown 1' > crown.script
    expect_failure 1 "crown.script:1: this board has no crown" "$TAPLINE" lab --firmware watch.bin --script crown.script --tap 1,2
    expect_failure 1 "found a dark panel; the core has not slept for a second" \
        "$TAPLINE" lab --firmware watch.bin --after 'wait until drawn within 100ms' --tap 1,2
}
