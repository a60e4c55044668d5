#!/usr/bin/env bats
# `tapline lab` by execution of the image that Hardware/build --lab makes.
# TAPLINE is the command under test, LAB_FIRMWARE the image; Tests/run builds and sets both.
load ../Support/command

# A copy of the image: one test builds it anew.
setup_file() {
    cp "$LAB_FIRMWARE" "$BATS_FILE_TMPDIR/LabFirmware"
    export image=$BATS_FILE_TMPDIR/LabFirmware
}

@test "handlers are executed and the report says so" {
    "$TAPLINE" lab --handler shipping --taps 5 --lab-image "$image" --json shipping.json > shipping.out
    grep -qF "the processor's time by execution of the machine code" shipping.out || complain "$(cat shipping.out)"
    expect_equal "executed True" "$(json '"%s %s" % (it["processor"], it["marks"]["updated"]["p99"] < 700)' < shipping.json)" "shipping"
    "$TAPLINE" lab --handler shipping --taps 5 --lab-image "$image" --json again.json > /dev/null
    cmp shipping.json again.json || complain "two runs differ"
    local shipping
    shipping=$(json 'it["marks"]["updated"]["p50"]' < shipping.json)
    "$TAPLINE" lab --handler legacy --taps 1 --lab-image "$image" --json legacy.json > /dev/null
    expect_equal "executed True" "$(json '"%s %s" % (it["processor"], it["marks"]["updated"]["p50"] > 300 * '"$shipping"')' < legacy.json)" "legacy"
}

@test "counts that the device model charges are what the image executes" {
    # On whatever day it was counted.
    "$TAPLINE" lab table --source --lab-image "$image" | grep -v countedOn > counted.swift
    grep -v countedOn "$top/Simulator/DeviceModel/Profile/CountTable+Measured.swift" | cmp counted.swift - ||
        complain "the table is not what the image executes: Hardware/build --stages counts again"
}

@test "steps are executed side by side and the report is the same each time" {
    local run
    for run in first second; do
        "$TAPLINE" lab --items 8 --database 20 --taps 1 --steps 10-11 --lab-image "$image" --json "$run.json" > "$run.out"
    done
    cmp first.json second.json || complain "two runs differ"
    "$TAPLINE" lab --items 8 --database 20 --taps 1 --steps 2-18 --lab-image "$image" --json first.json > first.out
    expect_equal 21 "$(grep -cE '^( {2,3}| {0,1}\+)[0-9]+[a-d]? ' first.out)" "rows"
    # Each mark has its bounds, each row its control run and what is missing without what it adds.
    expect_equal "True 17 12 nothing" "$(json '"%s %d %d %s" % (it["shipping"]["bounds"]["fewest"]["updated"]["p50"] < it["shipping"]["marks"]["updated"]["p50"] < it["shipping"]["bounds"]["most"]["updated"]["p50"], sum("control" in s for s in it["steps"]), sum(len(s["absences"]) for s in it["steps"]), it["steps"][9]["absences"][0]["missing"] or "nothing")' < first.json)" "the JSON"
    grep -qE "^ +1 tap, the link or the power cut after each: 0 lost, 0 repeated$" first.out || complain "taps that were cut: $(tail -60 first.out)"
}

@test "the last step holds the table of counts against the execution" {
    "$TAPLINE" lab --items 8 --database 20 --taps 1 --steps 19 --lab-image "$image" --json lab.json > lab.out
    grep -qE 'executed; the table of counts predicts' lab.out || complain "step 19 is not executed: $(cat lab.out)"
    expect_equal "confirmed" "$(json 'it["steps"][0]["verdict"]' < lab.json)" "the verdict"
}

@test "the cycles of stages are told by function" {
    local -a lab=("$TAPLINE" lab --handler shipping --taps 3 --lab-image "$image")
    "${lab[@]}" --flame first.folded --json first.json > printed
    "${lab[@]}" --flame second.folded > /dev/null
    cmp first.folded second.folded || complain "two runs differ"
    grep -qE '^remaining count: [0-9.]+ % in [A-Z][A-Za-z]+\.[a-z]' printed || complain "no function is named: $(cat printed)"
    grep -qvE '^shipping;[^;]+(;[^;]+)+ [0-9]+$' first.folded && complain "a line is no folded stack"
    # The processor's mean time is in whole microseconds of 64 cycles, tap for tap.
    expect_equal "True" "$(json 'all(abs(sum(c["cycles"] for c in s["code"]["calls"]) - 3 * 64 * s["mean"]["processor"]) <= 3 * 64 for s in it["stages"])' < first.json)" "the stages' cycles in the report"
    expect_equal "$(json 'sum(c["cycles"] for p in [s["code"] for s in it["stages"]] + [it["aroundStages"]] for c in p["calls"])' < first.json)" \
        "$(awk '{ all += $NF } END { print all }' first.folded)" "the cycles of all stacks"
    "${lab[@]}" --flame - | cmp - first.folded || complain "standard output has something else"
    "$TAPLINE" lab --items 8 --database 20 --taps 1 --steps 1 --lab-image "$image" --flame both.folded > table
    expect_equal "legacy shipping " "$(cut -d ';' -f 1 both.folded | uniq | tr '\n' ' ')" "the handlers of the whole lab"
}

@test "a flame graph of what was only counted is refused in one line" {
    local status=0
    "$TAPLINE" lab --handler shipping --counted --flame flame > printed 2> said || status=$?
    expect_equal "1 0 1" "$status $(wc -c < printed) $(wc -l < said)" "what is said: $(cat said)"
    grep -qF "Hardware/build --lab" said || complain "it does not say what to do: $(cat said)"
    [[ ! -e flame ]] || complain "a file was written"
}

@test "an image that is none is refused in one line" {
    echo nothing > image
    local status=0
    "$TAPLINE" lab --lab-image image > printed 2> said || status=$?
    expect_equal "1 0 Error: cannot execute image: it is no ELF file" "$status $(wc -c < printed) $(cat said)" "what is said"
    status=0
    "$TAPLINE" lab --lab-image nowhere > printed 2> said || status=$?
    expect_equal "1 0 Error: cannot execute nowhere: No such file or directory" "$status $(wc -c < printed) $(cat said)" "what is said"
    status=0
    "$TAPLINE" lab --lab-image "$REFERENCE_FIRMWARE" > printed 2> said || status=$?
    expect_equal "1 0" "$status $(wc -c < printed)" "the status of another board's image ($(cat said))"
}

# bats test_tags=nightly
@test "image that is missing or old is built" {
    rm "$LAB_FIRMWARE"
    "$TAPLINE" lab --handler shipping --taps 2 > built.out
    grep -qF "the processor's time by execution of the machine code" built.out || complain "it was not built: $(cat built.out)"
    touch -d '2001-01-01' "$LAB_FIRMWARE"
    "$TAPLINE" lab --handler shipping --taps 2 > again.out
    [[ $LAB_FIRMWARE -nt built.out ]] || complain "the old image was executed"
    cmp built.out again.out || complain "two images of the same sources differ"
    "$TAPLINE" lab --counted --handler shipping --taps 2 > counted.out
    grep -qE 'as it was counted on 20[0-9]{2}-[0-9]{2}-[0-9]{2}, not executed' counted.out || complain "no day: $(head -3 counted.out)"
}

@test "no chain of calls takes more than the stack has" {
    "$top/Tests/Support/frames" "$image"
}
