#!/usr/bin/env bats
# The watch's images as `tapline watch --board` executes them, and what Hardware/build says of them.
# REFERENCE_FIRMWARE and PINETIME_FIRMWARE are the images and TAPLINE the command; Tests/run builds and sets them.
load ../Support/command
load ../Support/phone

# Copies of the images: other tests may build them meanwhile.
setup_file() {
    export reference=$BATS_FILE_TMPDIR/ReferenceFirmware pinetime=$BATS_FILE_TMPDIR/PineTimeFirmware
    cp "$REFERENCE_FIRMWARE" "$reference"
    cp "$PINETIME_FIRMWARE" "$pinetime"
}

# Plays the script on standard input on an image for a board: board image, options.
play_script() {
    cat > script
    "$TAPLINE" watch --board "$1" --firmware "$2" --headless --script script "${@:3}"
}

@test "taps on the executed firmware check off items of the script's phone" {
    local run
    for run in "reference $reference 40" "pinetime $pinetime 60"; do
        read -r board image row <<< "$run"
        play_script "$board" "$image" --with-phone << END > printed || complain "$(cat printed)"
phone add Milk
phone add Rye bread
wait until drawn
tap 70,$row
wait until left 1 within 5s
phone check Rye bread
wait until left 0
screenshot empty.png
END
        [[ -s empty.png ]] || complain "no picture"
    done
    cp script first.script
    play_script pinetime "$pinetime" --with-phone < first.script > again
    cmp printed again || complain "two runs differ"
}

@test "a watch whose line has no phone says so" {
    local status=0
    printf 'phone add Milk\n' | play_script pinetime "$pinetime" > printed 2> said || status=$?
    expect_equal 1 "$status" "the status"
    has_text said "needs a phone of the script's own" || complain "$(cat said)"
}

@test "item tapped on the executed firmware is in the history of the phone in another process" {
    phone add Milk Eggs Bread > /dev/null
    start_phone
    printf 'wait 3s\ntap 70,64\nwait 2s\n' |
        play_script reference "$reference" --sockets "$work/sockets" --flash chip.bin > printed ||
        complain "$(cat printed)"
    expect_equal Eggs "$(checked_titles)" "the history"
    # The chip keeps the list and the watch's identity.
    kill_phone
    printf 'wait 1s\ntap 70,40\nwait 1s\n' |
        play_script reference "$reference" --sockets "$work/sockets" --flash chip.bin > printed ||
        complain "$(cat printed)"
    expect_equal Eggs "$(checked_titles)" "the history before the phone is back"
    "$TAPLINE" watch --check-flash chip.bin > report
    has_text report "1 for the phone: Milk is checked off" || complain "the check-off that waits: $(cat report)"
    start_phone
    printf 'wait 3s\n' | play_script reference "$reference" --sockets "$work/sockets" --flash chip.bin > printed
    expect_equal $'Eggs\nMilk' "$(checked_titles)" "the history"
}

@test "time passes while the firmware with a served phone waits for a command" {
    phone add Milk > /dev/null
    start_phone
    mkfifo commands
    "$TAPLINE" watch --board reference --firmware "$reference" --sockets "$work/sockets" --plain \
        < commands > watch.out 2> watch.err 3>&- &
    local process=$! commands
    started+=("$process")
    exec {commands}<> commands
    printf 'wait 3s\ntap 70,40\n' >&"$commands"
    eventually has_checked Milk
    printf 'quit\n' >&"$commands"
    wait "$process"
}

has_checked() { [[ $(checked_titles) == "$1" ]]; }

@test "unknown board is an error that lists the boards" {
    expect_failure 1 "no such board 'Desk'; Hardware/Boards has: PineTime Reference" "$top/Hardware/build" --board Desk --json
    expect_failure 1 "--board needs a name: PineTime Reference" "$top/Hardware/build" --board
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
    expect_equal "$(cat build.json)" "$(cd "$top" && Hardware/build --board Reference --json)" "of Reference"
    page=$(grep -sl '^<!-- figures of Hardware/build' "$top/README.md" "$top/Hardware/README.md" || true)
    [[ -n $page ]] || complain "no page has the marks for the figures"
    shown=$(sed -n '/^<!-- figures of/,/^<!-- end of figures/p' "$page" | sed '1,2d;$d' | sed '$d')
    figures=$(cd "$top" && Hardware/build --figures)
    if [[ $(tail -n 1 <<< "$shown") != $(tail -n 1 <<< "$figures") ]]; then
        skip "the figures in $page were made by other tools: $(tail -n 1 <<< "$shown")"
    fi
    diff <(printf '%s\n' "$shown") <(printf '%s\n' "$figures") || complain "run Hardware/build --readme"
}

@test "no function takes more than 512 bytes of the stack and no chain of calls more than there are" {
    "$top/Tests/Support/frames" "$reference" --most 512 --once BoardWatch
    "$top/Tests/Support/frames" "$pinetime" --most 512 --once BoardWatch
}
