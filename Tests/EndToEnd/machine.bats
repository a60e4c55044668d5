#!/usr/bin/env bats
# `tapline watch --firmware FILE`: a small firmware for the PineTime, executed.
load ../Support/command

# Builds Programs/touch.c, which paints a square under each touch and pulses the motor.
build_firmware() {
    local programs="$top/Tests/EmulatorTests/Programs"
    clang --target=armv7em-none-none-eabi -mcpu=cortex-m4 -mfloat-abi=soft -O1 -ffreestanding -nostdlib -fuse-ld=lld \
        "-Wl,-T,$programs/memory.ld" -o touch.elf "$programs/touch.c"
}

# Plays the script on standard input on the firmware.
play() { # options
    cat > machine.script
    "$TAPLINE" watch --firmware touch.elf --headless --script machine.script "$@"
}

# Prints the bytes of a file in hexadecimal.
bytes() { # FILE FIRST COUNT
    od -A n -t x1 -j "$2" -N "$3" "$1" | xargs
}

@test "a tap draws, runs the motor, and is measured" {
    build_firmware
    play > printed << 'END'
wait until console ready within 2s
wait until drawn
screenshot before.png
expect screenshot before.png
record film.gif
tap 100,60
expect updated within 20ms
expect motor 1
swipe right
wait 100ms
record end
expect motor 1
expect awake
screenshot after.png
registers
END
    grep -q "expect updated within 20ms: [0-9.]* ms, first pixel after [0-9.]* ms, 1 writes, 1600 pixels" printed \
        || complain "$(cat printed)"
    # Both are 240 x 240: a PNG has its size in the header chunk, high byte first, and a GIF behind its signature, low byte first.
    expect_equal "89 50 4e 47 00 00 00 f0 00 00 00 f0" "$(bytes after.png 0 4) $(bytes after.png 16 8)" "the screenshot"
    expect_equal "47 49 46 38 39 61 f0 00 f0 00" "$(bytes film.gif 0 10)" "the recording"
}

@test "a wait for a drawn panel after a touch waits for what the touch draws" {
    build_firmware
    printf 'wait until drawn\nwait 1s\ntouch 100,60\nwait until drawn\n' | play > printed
    local touched drawn
    touched=$(awk '/  touch /{ print $1 }' printed)
    drawn=$(awk '/wait until drawn/{ last = $(NF - 1) } END { print last }' printed)
    awk "BEGIN { exit !($drawn >= $touched) }" || complain "$(cat printed)"
}

@test "faults of the radio are refused while the phone is on the serial line" {
    build_firmware
    local fault status
    for fault in 'fault range out' 'fault radio loss 100%'; do
        status=0
        printf '%s\n' "$fault" | play --with-phone > printed 2> said || status=$?
        expect_equal \
            "1 Error: machine.script:1: the phone is on the serial line, which has no such faults: phone connect NAME first" \
            "$status $(cat said)" "$fault"
    done
    printf 'fault range out\n' | play > printed
}

@test "the same script prints the same bytes" {
    build_firmware
    printf 'wait until drawn\ntap 100,60\nexpect updated within 20ms\nscreenshot a.png\n' > again
    play < again > first
    mv a.png b.png
    play < again > second
    cmp first second && cmp a.png b.png
}

@test "an expectation that is not met ends with its line and status 1" {
    build_firmware
    local status=0
    printf 'wait until drawn\ntap 100,60\nexpect updated within 1ms\n' | play > printed 2> said || status=$?
    expect_equal "1 Error: machine.script:3: expected the panel to be updated within 1 ms, found" \
        "$status $(cut -d' ' -f1-12 said)" "the status and what is said"
}

@test "a fault, a watchdog, System OFF and the end are told" {
    build_firmware
    local status=0
    printf 'wait until drawn\ntap 5,5\n' | play > printed 2> said || status=$?
    expect_equal 1 "$status" "the status"
    grep -q "HardFault at 0x[0-9a-f]* in read_nothing: an access of an address where there is nothing (0x30000000)" said \
        || complain "$(cat said)"
    has_text printed "cfsr=00008200"
    has_text printed "called from"
    printf 'wait until drawn\ntap 230,5\nwait 1s\n' | play > printed
    has_text printed "reset by the watchdog, which was never fed"
    printf 'wait until drawn\ntap 5,230\nwait 100ms\nbutton\nwait until console ready\n' | play > printed
    has_text printed "System OFF"
    has_text printed "started again by a pin, from System OFF"
    printf 'wait until drawn\ntap 230,230\ntap 1,1\n' | play > printed
    has_text printed "the firmware ended"
}

@test "commands come from standard input, too" {
    build_firmware
    printf 'wait until drawn\ntap 100,60\nexpect motor\nquit\n' | "$TAPLINE" watch --firmware touch.elf > printed
    has_text printed "expect motor"
}

@test "a directory of scripts gives a report, each on a machine of its own" {
    build_firmware
    mkdir scripts
    printf 'wait until drawn\n' > scripts/a.script
    printf 'wait until drawn\nexpect motor\n' > scripts/b.script
    local status=0
    "$TAPLINE" watch --firmware touch.elf --headless --scripts scripts --json > printed || status=$?
    expect_equal "1 1 1 passed failed" \
        "$status $(json '"%s %s %s %s" % (it["passed"], it["failed"], *[one["outcome"] for one in it["scripts"]])' < printed)" \
        "the report"
}

@test "the flash file is created with the chip's size, and kept" {
    build_firmware
    printf 'wait 10ms\n' | play --flash chip.bin > printed
    expect_equal 4194304 "$(stat -c %s chip.bin)" "the size"
    truncate -s 1000 small.bin
    expect_failure 1 "the file of the flash chip has 1000 bytes: give one of 4194304" \
        "$TAPLINE" watch --firmware touch.elf --flash small.bin --headless --script machine.script
}

# The rule for an image: this is what is said of it.
expect_refused_image() { # file words
    expect_failure 1 "$1: $2" "$TAPLINE" watch --firmware "$1" --headless --script machine.script
}

@test "an image that cannot run is refused with what to do" {
    build_firmware
    echo 'wait 10ms' > machine.script
    expect_refused_image nothing "the firmware cannot be read"
    expect_refused_image /bin/true "it is for another processor"
    # Programs that are neither in a checkout nor installed.
    mkdir bin && cp "$TAPLINE" bin/tapline
    expect_failure 1 "the lab is not built: run Simulator/build tapline-lab" bin/tapline watch --board reference
    cp "${TAPLINE%/*}/tapline-lab" bin
    expect_failure 1 "no firmware image at .build/armv7em-none-none-eabi/release/ReferenceFirmware: run Hardware/build" \
        bin/tapline watch --board reference --headless --script machine.script
    head -c 1000 touch.elf > short.elf
    expect_refused_image short.elf "it is incomplete: copy or build it again"
    head -c 1000 /dev/zero > zeros.bin
    expect_refused_image zeros.bin "it has no vector table at 0x0: name the address of a raw image with --at"
    printf '\000\000\020\040\011\000\000\000' > stack.bin
    expect_refused_image stack.bin "its stack pointer 0x20100000 is outside the RAM of an nRF52832"
    # Start code that resets the part at once.
    printf '\000\000\001\040\011\000\000\000\001\110\002\111\001\140\376\347\014\355\000\340\004\000\372\005' > loop.bin
    expect_failure 1 "reset loop: 8 resets" "$TAPLINE" watch --firmware loop.bin --headless --script machine.script
}

@test "commands for another board and places outside of the panel are refused" {
    build_firmware
    local status=0
    printf 'crown 1\n' | play > printed 2> said || status=$?
    expect_equal "1 Error: machine.script:1: this board has no crown: use the side button" "$status $(cat said)" "the crown"
    printf 'tap 240,0\n' | play > printed 2> said || status=$?
    has_text said "a touch at 240,0 is outside of the panel: use 0 to 239 and 0 to 239"
    printf 'tap 1\n' | play > printed 2> said || status=$?
    has_text said "rows are on Tapline's own watch: leave out --firmware"
    printf 'describe\n' | play > printed 2> said || status=$?
    has_text said "describe is a command for Tapline's own watch"
    printf 'fault absent touch\nwait until drawn\ntap 100,60\nexpect updated within 20ms\n' | play > printed 2> said || status=$?
    has_text said "found that it has not changed"
}

# Runs the firmware for a debugger, and sets $port to where it waits. The commands of a script come from standard input.
start_debugged() {
    cat > debugged.script
    start watch "$TAPLINE" watch --firmware touch.elf --headless --script debugged.script --gdb 0
    eventually has_text watch.out "target remote localhost:"
    port=$(sed -n 's/.*target remote localhost://p' watch.out)
}

# Sends packets of the gdb protocol to $port, and prints the answers: hexadecimal digits of registers, signals of stops.
packets() { # packet...
    python3 -IS - "$port" "$@" << 'PYTHON'
import socket, sys
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=200)
stream = link.makefile("rb")
for packet in sys.argv[2:]:
    link.sendall(b"$%s#%02x" % (packet.encode(), sum(packet.encode()) & 255))
    if packet == "D": break
    answer, byte = b"", stream.read(1)
    while byte and byte != b"#": answer, byte = answer + byte, stream.read(1)
    stream.read(2)
    print(answer.partition(b"$")[2].decode())
PYTHON
}

@test "a debugger stops at a breakpoint in a tap, and the script goes on when it has gone" {
    build_firmware
    local address
    printf 'wait until drawn\ntap 100,60\nexpect motor\n' | start_debugged
    address=$(llvm-nm touch.elf | sed -n 's/ t touched$//p')
    packets "Z0,$(printf %x $((0x$address & ~1))),2" c p0 p1 D > answers
    # The registers r0 and r1 are the place, lowest byte first.
    expect_equal "OK S05 64000000 3c000000" "$(paste -sd ' ' answers)" "the answers"
    eventually has_ended "$last"
    wait "$last" || complain "the script failed"
    has_text watch.out "the debugger has gone"
}

@test "gdb stops in a tap, and sees the end of the script" {
    command -v gdb-multiarch > /dev/null || skip "gdb-multiarch is not installed"
    build_firmware
    printf 'wait until drawn\ntap 100,60\n' | start_debugged
    gdb-multiarch -batch -nx -ex "set remotetimeout 200" -ex "target remote localhost:$port" -ex 'break *touched' -ex continue -ex 'print $r0' -ex 'backtrace 1' \
        -ex stepi -ex 'delete' -ex continue touch.elf > seen 2>&1
    has_text seen "Breakpoint 1, " || complain "$(cat seen)"
    has_text seen '$1 = 100' || complain "$(cat seen)"
    has_text seen "exited normally" || complain "$(cat seen)"
}

@test "a second debugger is refused, a fault is shown to the first, and it can end the run" {
    build_firmware
    printf 'wait until drawn\ntap 5,5\nwait 1h\n' | start_debugged
    local first signal
    # The test is the first debugger: it connects, and goes on after the second is refused.
    exec {first}<> "/dev/tcp/127.0.0.1/$port"
    eventually has_text watch.out "a debugger has connected"
    packets '?' > second || true
    expect_equal "" "$(cat second)" "the answer to the second debugger"
    eventually has_text watch.out "another debugger was refused"
    printf '$c#63' >&"$first"
    read -r -d '#' signal <&"$first"
    expect_equal '+$S0B' "$signal" "the signal of the fault"
    printf '$k#6b' >&"$first"
    eventually has_ended "$last"
    wait "$last" || complain "the run failed"
    has_text watch.out "the debugger has ended the run"
}

@test "a port that is taken is refused, and is free after the run" {
    build_firmware
    echo 'wait 1s' | start_debugged
    expect_failure 1 "--gdb: port $port: Address already in use: choose another port" \
        "$TAPLINE" watch --firmware touch.elf --headless --script debugged.script --gdb "$port"
    kill "$last"
    eventually has_ended "$last"
    start again "$TAPLINE" watch --firmware touch.elf --headless --script debugged.script --gdb "$port"
    eventually has_text again.out "target remote localhost:$port"
}

@test "the console shows semihosting and SEGGER RTT" {
    build_firmware
    printf 'wait until drawn\ntap 100,60\nwait until console touched within 1s\n' | play --console > printed
    has_text printed "console: ready"
    has_text printed "console: touched"
    printf 'wait until drawn\ntap 100,60\nwait 200ms\n' | play > printed
    ! has_text printed "console: touched"
}

@test "options that do not fit together are refused" {
    expect_refusal 64 "--at, --strict, --seed, --gdb and --console need --firmware" "$TAPLINE" watch --strict
    expect_refusal 64 "--package builds an image and runs it: leave out --firmware" "$TAPLINE" watch --firmware x --package y
    expect_refusal 64 "--gdb needs --script FILE, or a terminal" "$TAPLINE" watch --firmware touch.elf --gdb 3333
    expect_refusal 64 "the others are for the simulated watch" "$TAPLINE" watch --firmware x --profile memory-lcd
    expect_refusal 64 "the others are for the simulated watch" "$TAPLINE" watch --board reference --speed 10
    expect_refusal 64 "the others are for the simulated watch" "$TAPLINE" watch --board reference --link bluetooth
    expect_refusal 64 "The value 'here' is invalid for '--at <address>'" "$TAPLINE" watch --firmware x --at here
}

@test "the lab measures a tap, keeps a budget, and reports a fault" {
    build_firmware
    "$TAPLINE" lab --firmware touch.elf --tap 100,60 --taps 3 --budget 20ms > printed 2> said
    has_text printed "last pixel"
    local status=0
    "$TAPLINE" lab --firmware touch.elf --tap 100,60 --taps 1 --budget 1ms --json report.json > printed 2> said || status=$?
    expect_equal "1 1" "$status $(json 'it["taps"]' < report.json)" "the status, and the taps of the report"
    has_text said "Error: touch.elf: tap to update" || complain "$(cat said)"
    status=0
    "$TAPLINE" lab --firmware touch.elf --tap 5,5 --taps 1 > printed 2> said || status=$?
    expect_equal "1 0" "$status $(wc -l < printed)" "the status and the lines of the report"
    has_text said "called from" || complain "$(cat said)"
    grep -q "^Error: .* tap 1: HardFault at 0x[0-9a-f]* in read_nothing: an access of an address" said || complain "$(cat said)"
}
