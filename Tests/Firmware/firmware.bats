#!/usr/bin/env bats
# The firmware in QEMU, driven over its serial lines by Tests/FirmwareHarness.
# FIRMWARE is the image; Tests/run builds both and sets it.
load ../Support/command

# A copy of the image: other tests may build it meanwhile.
setup_file() {
    cp "$FIRMWARE" "$BATS_FILE_TMPDIR/Firmware"
    export FIRMWARE=$BATS_FILE_TMPDIR/Firmware
}

harness() {
    "$(dirname "$TAPLINE")/FirmwareHarness" "$1" "$FIRMWARE" "${@:2}"
}

@test "first frame and the face are those of the simulated watch" {
    harness golden "$top/Tests/WatchTests/Golden/watch-new.pbm" "$top/Tests/WatchTests/Golden/watch-new-face.pbm"
}

@test "digits of a pairing are those of the simulated watch and the buttons answer" {
    harness pairing "$top/Tests/WatchTests/Golden/sheet-pairing.pbm"
}

@test "answer is reported before the screen without its question" {
    harness answer-first
}

@test "unknown board is an error that lists the boards" {
    expect_failure 1 "no such board 'Desk'; Hardware/Boards has: Lab MPS2" "$top/Hardware/build" --board Desk --json
    expect_failure 1 "--board needs a name: Lab MPS2" "$top/Hardware/build" --board
}

# One test, because two builds in one checkout remove each other's image.
# bats test_tags=nightly
@test "build prints the sizes of every part, and those that the page shows" {
    local sums shown figures page
    (cd "$top" && Hardware/build --json) > build.json
    sums=$(json '[sum(row[kind] for row in it["parts"]) for kind in ("flash", "ram")]' < build.json)
    expect_equal "$(json '[it["flash"], it["ram"]]' < build.json)" "$sums" "the sums of flash and RAM over the parts"
    # Most of it is known by its folder.
    json 'sum(row["flash"] for row in it["parts"] if "/" in row["part"]) > 0.7 * it["flash"]' < build.json |
        grep -qx True || complain "few parts are folders: $(cat build.json)"
    expect_equal "$(cat build.json)" "$(cd "$top" && Hardware/build --board MPS2 --json)" "of MPS2"
    page=$(grep -sl '^<!-- figures of Hardware/build' "$top/README.md" "$top/Hardware/README.md" || true)
    [[ -n $page ]] || complain "no page has the marks for the figures"
    shown=$(sed -n '/^<!-- figures of/,/^<!-- end of figures/p' "$page" | sed '1,2d;$d' | sed '$d')
    figures=$(cd "$top" && Hardware/build --figures)
    if [[ $(tail -n 1 <<< "$shown") != $(tail -n 1 <<< "$figures") ]]; then
        skip "the figures in $page were made by other tools: $(tail -n 1 <<< "$shown")"
    fi
    diff <(printf '%s\n' "$shown") <(printf '%s\n' "$figures") || complain "run Hardware/build --readme"
}

@test "two runs say the same to the byte" {
    harness twice
}

@test "noise on every line changes nothing" {
    harness garbage
}

@test "a link that stops in the middle of a frame comes back" {
    harness half
}

@test "a thousand taps in a burst are all handled" {
    harness burst 1000
}

@test "power cuts at random moments leave a watch that starts" {
    harness power-cuts
}

@test "watch starts although bytes of its flash chip have changed" {
    harness decay
}

@test "fault prints the registers and ends with a failure" {
    harness faults
}

@test "image can run no command of the host and write no file" {
    harness host
}

@test "tap takes no more instructions than its budget however long the list" {
    harness instructions
}

@test "stacks are never full" {
    harness memory
}

@test "no function takes more than 512 bytes of the stack and no chain of calls more than there are" {
    "$top/Tests/Support/frames" "$FIRMWARE" --most 512 --once makeProgram
}
