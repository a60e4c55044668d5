#!/usr/bin/env bats
# The firmware in QEMU as the watch of `tapline watch --board mps2`, and its phone as a process of its own.
# FIRMWARE is the image and TAPLINE the command; Tests/run builds and sets both.
load ../Support/command
load ../Support/phone

# A copy of the image: other tests may build it meanwhile.
setup_file() {
    cp "${FIRMWARE:=$top/.build/armv7em-none-none-eabi/release/Firmware}" "$BATS_FILE_TMPDIR/Firmware"
    export FIRMWARE=$BATS_FILE_TMPDIR/Firmware
}

# The watch with this test's sockets, flash and image: more options may follow.
watch() {
    "$TAPLINE" watch --board mps2 --firmware "$FIRMWARE" --sockets "$work/sockets" --flash "$work/firmware.bin" "$@"
}

# Plays the script on standard input, and takes its exit status.
play_script() {
    patiently > "$work/script"
    watch --headless --script "$work/script"
}

# Starts a script that lasts longer than the test. The command's process is $watch, the emulator's $machine.
start_watch() {
    printf 'wait 10000s\n' > "$work/script"
    start watch "$TAPLINE" watch --board mps2 --firmware "$FIRMWARE" --sockets "$work/sockets" \
        --flash "$work/firmware.bin" --headless --script "$work/script"
    watch=$last
    eventually has_machine "$watch"
}

# Whether a command has its emulator, which is $machine then.
has_machine() {
    machine=$(cat "/proc/$1/task/"*/children | tr -d ' ')
    [[ -n $machine && $(tr '\0' ' ' < "/proc/$machine/cmdline") == *qemu-system-arm* ]]
}

# The rule that the watch's command ends with 1 and one line of error, which holds a text.
expect_failure_of_watch() {
    local status=0
    wait "$watch" || status=$?
    expect_equal 1 "$status" "exit status"
    expect_equal 1 "$(wc -l < "$work/watch.err")" "lines of error ($(cat "$work/watch.err"))"
    has_text "$work/watch.err" "$1" || complain "no '$1' in: $(cat "$work/watch.err")"
}

@test "item tapped on the firmware is in the phones history" {
    phone add Milk Eggs Bread > /dev/null
    start_phone
    play_script << 'END'
wait until synced
expect screen list
expect row 1 Milk
expect row 2 Eggs
tap 2
wait until row 2 Bread
expect row 1 Milk
wait until synced
screenshot panel.png
END
    expect_equal Eggs "$(checked_titles)" "the history"
    [[ -s panel.png ]] || complain "no picture"
}

# Plays the script on standard input on a new firmware with a phone of its own. Its errors are in err.
play_alone() {
    patiently > script
    "$TAPLINE" watch --board mps2 --firmware "$FIRMWARE" --headless --with-phone --script script 2> err
}

# The rule that the script on standard input fails with one line that ends as $1, and prints nothing.
expect_line() {
    local status=0
    play_alone > out || status=$?
    expect_equal 1 "$status" "the exit status"
    [[ $(cat err) == *"script:$1" ]] || complain "not '$1', but: $(cat err)"
    expect_equal "" "$(cat out)" "what was printed"
}

@test "script asserts on the firmware what it does on the simulated watch" {
    play_alone << 'END' || complain "status $?: $(cat err)"
phone add Milk
phone add Rye bread
phone add Eggs
wait until row 3 Eggs
tap 1
expect haptics 1
expect handled within 900ms
expect updated within 900ms
expect durable within 900ms
expect settled within 900ms
wait until settled
expect no row Milk
expect row 1 Rye bread
expect text 1 [ ] Rye
expect left 2
expect complication Rye bread
tap 1
tap 2
wait until settled
expect left 0
expect haptics 2
tap 1 or nothing
wait until synced
expect acknowledged within 200s
repeat 5
phone add Tea
expect left 1
wrist raise
expect complication Tea
phone check Tea
expect left 0
end
END
    local milk=$'phone add Milk\nwait until row 1 Milk'
    expect_line '4: expected tap 2 to check off a row, found no row there: the last one is row 1; allowed if it may miss: tap 2 or nothing' \
        <<< "$milk"$'\ntap 1\ntap 2\nwait 1s'
    expect_line '4: expected tap 1 to check off a row, found a row that the tap of line 3 has checked off; allowed if it may miss: tap 1 or nothing' \
        <<< "$milk"$'\ntap 1\ntap 1\nexpect left 0'
    expect_line '4: expected 2 haptics, found 1' <<< "$milk"$'\ntap 1\nexpect haptics 2'
}

@test "what the firmware does not know is refused before anything is done" {
    expect_line '2: expect felt works only on the simulated watch' <<< $'describe\nexpect felt within 1s'
    expect_line '2: pause works only on the simulated watch' <<< $'describe\npause'
    expect_line '3: fault works only on the simulated watch' <<< $'repeat 2\ndescribe\nfault none\nend'
}

@test "item added with the phone is on the firmware" {
    phone add Milk > /dev/null
    start_phone
    mkfifo commands
    watch --plain < commands > watch.out 2> watch.err 3>&- &
    started+=("$!")
    local process=$! commands
    exec {commands}<> commands
    eventually has_text watch.out Milk
    phone add "Rye bread" > /dev/null
    eventually has_text watch.out "Rye bread"
    printf 'press crown\n' >&"$commands"
    eventually has_text watch.out Face
    printf 'quit\n' >&"$commands"
    wait "$process"
}

@test "restart keeps what was tapped" {
    numbered_items 4 | import_items
    start_phone
    play_script <<< 'wait until synced'
    kill_phone
    printf 'tap 1\nwait until settled\ntap 1\nwait until settled\nexpect row 1 Item 3\n' | play_script
    expect_equal "" "$(checked_titles)" "the history before the phone is back"
    start_phone
    printf 'expect row 1 Item 3\nwait until synced\n' | play_script
    expect_equal $'Item 1\nItem 2' "$(checked_titles)" "the history"
}

@test "thousand taps in a burst lose none" {
    numbered_items 2 | import_items
    start_phone
    {
        printf 'wait until synced\nexpect screen list\n'
        for ((count = 0; count < 999; count++)); do printf 'press crown\n'; done
        printf 'expect screen face\npress crown\nexpect screen list\n'
    } | play_script
}

@test "taps in a burst check off one item each" {
    local checked
    numbered_items 40 | import_items
    start_phone
    {
        printf 'wait until synced\n'
        # A struck row stays for 250 ms.
        for ((count = 0; count < 30; count++)); do printf 'tap 1 or nothing\nwait 300ms\n'; done
        printf 'wait until synced\nwait until settled\ndescribe\n'
    } | play_script > "$work/watch.out"
    checked=$(checked_titles | wc -l)
    # The emulator's time falls behind on a busy machine: a second touch of a row that is still struck is a bounce.
    ((checked >= 1 && checked <= 30)) || complain "30 touches have checked off $checked items"
    # One item each, from the top, and what the phone has is what the wrist shows.
    expect_equal "$(numbered_items "$checked")" "$(checked_titles)" "the history"
    has_text watch.out "Item $((checked + 1))" || complain "row 1 is not Item $((checked + 1))"
    ! has_text watch.out "Item $checked" || complain "Item $checked is on the wrist"
}

@test "end of the emulator is told in one line" {
    start_watch
    kill -KILL "$machine"
    expect_failure_of_watch "the firmware's machine was ended by signal 9"
}

@test "emulator ends with a command that is killed" {
    start_watch
    kill -KILL "$watch"
    eventually has_ended "$machine"
}

@test "emulator ends with a command that is asked to end" {
    start_watch
    kill -TERM "$watch"
    eventually has_ended "$machine"
}

@test "image that the emulator cannot run is told in one line" {
    # The vector table is the first that is loaded.
    cp "$FIRMWARE" image
    local offset
    offset=$(arm-none-eabi-readelf -lW image | awk '$1 == "LOAD" { print $2; exit }')
    printf nonsense | dd of=image bs=1 seek=$((offset)) conv=notrunc status=none
    printf 'wait 10000s\n' > script
    start watch "$TAPLINE" watch --board mps2 --firmware image --sockets "$work/sockets" --flash firmware.bin \
        --headless --script script
    watch=$last
    expect_failure_of_watch "the firmware's machine was ended by signal 6: qemu: fatal"
}

@test "what cannot be run is refused" {
    printf 'quit\n' > script
    local -a headless=(--headless --script script --sockets sockets)
    expect_failure 1 "no firmware image at nothing: run Hardware/build" \
        "$TAPLINE" watch --board mps2 --firmware nothing --flash firmware.bin "${headless[@]}"
    printf 'this is no image at all\n' > text
    expect_failure 1 "text is no firmware image: run Hardware/build" \
        "$TAPLINE" watch --board mps2 --firmware text --flash firmware.bin "${headless[@]}"
    mkdir bin
    expect_failure 1 "qemu-system-arm is not installed: apt-get install qemu-system-arm" \
        env PATH="$work/bin" "$TAPLINE" watch --board mps2 --firmware "$FIRMWARE" --flash firmware.bin "${headless[@]}"
    printf 'not a flash\n' > other
    expect_failure 1 "not a watch's flash" \
        "$TAPLINE" watch --board mps2 --firmware "$FIRMWARE" --flash other "${headless[@]}"
    start_watch
    expect_failure 1 "another watch is running on this flash file" \
        "$TAPLINE" watch --board mps2 --firmware "$FIRMWARE" --flash firmware.bin "${headless[@]}"
}
