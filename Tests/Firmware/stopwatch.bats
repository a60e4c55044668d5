#!/usr/bin/env bats
# A handler of another package with messages and a sheet of its own, on the executed firmware: Tests/Examples, driven by
# programs on the phone. TAPLINE is the command under test; Tests/run builds it and sets it.
# The first build takes minutes.
test_limit=1800
load ../Support/command
load ../Support/phone
load ../Support/watch
load ../Support/python
load ../Support/wormhole

setup_file() {
    find_python
}

# A program on the phone that answers NAME with VALUE, and writes a line for each question.
answer() { # name value
    start "answer-${1##*/}" "$TAPLINE" wormhole answer "$1" --sockets "$work/sockets" -- \
        sh -c "cat >> '$work/asked-${1##*/}'; printf '%s' '$2'"
}

# Builds the image, which takes minutes the first time.
build_stopwatch() {
    printf 'wait until drawn\n' > build.script
    "$TAPLINE" watch --package "$top/Tests/Examples" --handler StopwatchHandler --headless --with-phone \
        --script build.script > built.out || complain "the image does not build or run: $(cat built.out)"
}

# The firmware with the stopwatch as a watch that takes commands.
start_stopwatch() {
    start_plain_watch --board reference --firmware \
        "$top/Tests/Examples/.build/tapline-reference-image/.build/armv7em-none-none-eabi/release/TapImage"
}

# The rule for what the panel shows: a picture of Tests/Examples.
expect_shown() {
    say_to_watch 'wait 1s'
    say_to_watch "expect screenshot $top/Tests/Examples/$1"
    say_to_watch "wait 1ms"
    eventually has_text watch.out "expect screenshot $top/Tests/Examples/$1"
}

# bats test_tags=nightly
@test "the stopwatch of a package runs on the firmware" {
    build_stopwatch
    start_phone
    phone add Milk Bread > /dev/null
    answer stopwatch/start 0
    answer stopwatch/save 75
    start_stopwatch
    say_to_watch 'wait 3s'

    # The phone's time opens the sheet, and the watch follows it.
    local second
    for second in 0 1 2 3 61; do near pass stopwatch/elapsed "$second" > /dev/null; done
    expect_equal 61 "$(near read stopwatch/elapsed)" "the value on the phone"

    # A saved time is taken, and an undeclared name is rejected.
    near pass stopwatch/laps 83 --delivery queued --within 240s > /dev/null
    local status=0
    near pass elsewhere 1 --delivery queued --within 240s > refused 2>&1 || status=$?
    expect_equal 1 "$status" "the status of a message that is rejected"
    has_text refused 'name' || complain "it does not say why: $(cat refused)"

    # A picture of the runner crosses as a file and is on the sheet; a file that is longer than the handler takes does not.
    near send "$top/Tests/Examples/runner.pbm" --within 240s > sent 2>&1 ||
        complain "the picture does not arrive: $(cat sent)"
    expect_shown picture.png
    head -c 4097 /dev/zero > long.bin
    status=0
    near send long.bin --within 240s > refused 2>&1 || status=$?
    expect_equal 1 "$status" "the status of a file that is too long"
    has_text refused 'shorter files' || complain "it does not say why: $(cat refused)"

    # A button asks the phone.
    say_to_watch 'tap 120,150'
    eventually has_text asked-save null

    # A tap is still a tap.
    say_to_watch 'crown press'
    say_to_watch 'wait 500ms'
    say_to_watch 'tap 70,40'
    eventually list_is Bread
    near clear stopwatch/elapsed > /dev/null
}

# What was built for the last start has the same handler: one build sees that.
# bats test_tags=nightly
@test "a second start builds once" {
    build_stopwatch
    mkdir counting
    cat > counting/swift << END
#!/bin/sh
if [ "\$1" = build ]; then echo "\$*" >> "$work/builds"; fi
exec "$(command -v swift)" "\$@"
END
    chmod +x counting/swift
    PATH="$work/counting:$PATH" build_stopwatch
    expect_equal 1 "$(wc -l < builds)" "the builds of a second start"
}

# Tests/Peer shares no code with the phone or the watch.
# bats test_tags=nightly
@test "phone in another language drives the stopwatch" {
    local talking
    build_stopwatch
    head -c 4097 /dev/zero > long.bin
    start peer "$python" -m peer.talk phone "$work/sockets/watch.sock" 'answer stopwatch/save 75' meet \
        'pass stopwatch/elapsed 0' 'pass stopwatch/elapsed 61' 'hear stopwatch/start' \
        'queue stopwatch/laps 83' 'queue elsewhere 1' 'send long.bin' "send $top/Tests/Examples/runner.pbm" \
        'hear stopwatch/save' 'hear stopwatch/pause' leave
    talking=$last
    start_stopwatch
    # Buttons: Start, which the peer does not answer; then the picture; then Save and Pause.
    say_to_watch 'wait 5s'
    say_to_watch 'tap 24,150'
    expect_shown picture.png
    say_to_watch 'tap 120,150'
    say_to_watch 'wait 1s'
    say_to_watch 'tap 72,150'
    expect_shown no-program.png
    wait "$talking" || complain "the peer did not end well: $(cat peer.out peer.err)"
    has_text peer.out '"outcome": 4' || complain "the long file was not refused: $(cat peer.out)"
}

list_is() { [[ $(open_titles) == "$1" ]]; }
