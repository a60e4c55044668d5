#!/usr/bin/env bats
# A watch in a file, restarts in place, the battery, and what a watch leaves behind when a signal ends it.
load ../Support/command
load ../Support/phone
load ../Support/watch

# Starts a watch with three items on its list.
begin_watch() {
    printf 'Milk\nBread\nEggs\n' | import_items
    start_phone
    start_plain_watch "$@"
    eventually has_text watch.out "in sync"
}

end_watch() {
    say_to_watch quit
    wait "$watch"
}

@test "bug is a file" {
    begin_watch
    attach fault cut > /dev/null
    attach tap 1 > /dev/null
    attach battery 40 > /dev/null
    attach save bug.json > /dev/null
    expect_equal 600 "$(stat -c %a bug.json)" "who may read it"
    expect_equal "tapline watch state 1 cut 40" \
        "$(json '"%s %d %s %d" % (it["format"], it["version"], it["faults"]["link"], it["battery"]["percent"])' < bug.json)" "the file"
    attach wait until settled 100000s > /dev/null
    attach tap 1 > /dev/null
    attach wait until settled 100000s > /dev/null
    expect_equal "Bread 40" \
        "$(attach load bug.json | json '"%s %d" % (it["watch"]["rows"][0]["title"], it["watch"]["battery"]["percent"])')" "what is loaded"
    attach fault none > /dev/null
    attach wait until synced 100000s > /dev/null
    expect_equal Milk "$(checked_titles)" "what the phone has"
    end_watch
    printf 'expect row 1 Bread\nexpect left 2\n' > look
    cp watch.flash before
    "$TAPLINE" watch --sockets "$work/sockets" --load bug.json --headless --script look
    expect_equal "" "$(cmp watch.flash before)" "the flash that is not named"
    "$TAPLINE" watch --sockets "$work/sockets" --flash named.flash --load bug.json --headless --script look
    [[ $(stat -c %s named.flash) == 65536 ]] || complain "no flash where it was to be"
    expect_equal "" "$(find "$XDG_RUNTIME_DIR" -name 'tapline-script.*')" "what stays behind"
}

@test "restart and reset in place" {
    begin_watch
    attach tap 1 > /dev/null
    expect_equal "Bread" "$(attach restart | json 'it["watch"]["rows"][0]["title"]')" "after a restart"
    attach wait until synced 100000s > /dev/null
    expect_equal Milk "$(checked_titles)" "what the phone has"
    eventually grep -qa Bread watch.flash
    expect_equal 0 "$(attach reset | json 'len(it["watch"]["rows"])')" "rows after a reset"
    attach fault cut > /dev/null
    attach reset > /dev/null
    if grep -qa Bread watch.flash; then complain "the list is still in the flash"; fi
    attach fault none > /dev/null
    attach wait until row 1 Bread 100000s > /dev/null
}

@test "bad files leave the watch as it is" {
    begin_watch
    attach save good.json > /dev/null
    : > empty.json
    echo '{"a": 1}' > other.json
    head -c 300 good.json > cut.json
    sed 's/"sectors" : 16/"sectors" : 50/' good.json > chip.json
    sed 's/"version" : 1/"version" : 9/' good.json > later.json
    truncate -s 100M long.json
    mkdir directory
    mkfifo pipe
    local name reason
    while IFS='|' read -r name reason; do
        local status=0
        attach load "$name" > answer || status=$?
        expect_equal "1 failed" "$status $(json 'it["outcome"]' < answer)" "the outcome of $name"
        expect_equal 1 "$(json 'it["error"]' < answer | wc -l)" "lines about $name"
        json 'it["error"]' < answer | grep -F "$reason" > /dev/null || complain "$name: $(json 'it["error"]' < answer)"
        expect_failure 1 "$reason" "$TAPLINE" watch --sockets "$work/sockets" --load "$name" --headless --script <(echo describe)
    done << 'END'
missing.json|No such file or directory: name a file that save has written
empty.json|it is empty: name a file that save has written
other.json|it is not the state of a watch: name a file that save has written
cut.json|its end cannot be right: save it again
chip.json|it is of a watch whose flash has 50 sectors
later.json|it is of version 9, and this tapline reads up to 1
long.json|it has more than 33554432 bytes
directory|not a regular file
pipe|not a regular file
END
    expect_equal "reachable Milk" "$(attach describe | json '"%s %s" % (it["watch"]["link"], it["watch"]["rows"][0]["title"])')" "the watch"
    attach save directory > answer || true
    expect_equal "command line:1: cannot write $work/directory: not a regular file" "$(json 'it["error"]' < answer)" "a directory in the way"
}

@test "paused watch is saved and stays paused" {
    begin_watch
    attach pause > /dev/null
    expect_equal "done paused" "$(attach save bug.json | json '"%s %s" % (it["outcome"], it["watch"]["phase"])')" "a paused watch"
    expect_equal paused "$(json 'it["clock"]["state"]' < bug.json)" "the file"
    attach resume > /dev/null
    expect_equal paused "$(attach load bug.json | json 'it["watch"]["phase"]')" "what is loaded"
    attach resume > /dev/null
}

@test "battery is told" {
    begin_watch
    attach battery 80 > /dev/null
    expect_equal "80 on" "$(attach charging on | json '"%d %s" % (it["watch"]["battery"]["percent"], it["watch"]["battery"]["charging"])')" "the gauge"
    eventually has_text watch.out "battery 80 %, charging"
    expect_equal 1 "$(attach fault battery low | json 'it["watch"]["battery"]["percent"]')" "with a low supply"
}

@test "cut link asks for no phone" {
    begin_watch
    attach fault cut > /dev/null
    attach save cut.json > /dev/null
    end_watch
    "$TAPLINE" watch --sockets "$work/sockets" --load cut.json --plain < /dev/null > plain.out
    has_text plain.out "the link is cut by a fault: fault open opens it" || complain "$(cat plain.out)"
    if has_text plain.out "phone serve"; then complain "a phone is asked for"; fi
}

@test "signal leaves no files and no backtrace" {
    local name number
    while read -r name number; do
        echo "wait 10000s" > script
        start signalled env --default-signal=INT,QUIT SWIFT_BACKTRACE=enable=yes "$TAPLINE" watch --sockets "$work/sockets" --flash "$work/watch.flash" --headless --script script
        local process=$last
        eventually test -e "sockets/watch-$process.control"
        eventually attach describe > /dev/null
        kill -"$name" "$process"
        expect_end $((128 + number)) "$process" 2> /dev/null
        expect_equal "" "$(find sockets -name 'watch-*')" "files after SIG$name"
        expect_equal "" "$(cat signalled.out signalled.err)" "what is said after SIG$name"
    done << 'END'
INT 2
TERM 15
HUP 1
QUIT 3
END
}

@test "flash file that was never filled is a new watch" {
    : > empty.flash
    "$TAPLINE" watch --check-flash empty.flash > report || complain "an empty file is damaged: $(cat report)"
    has_text report "a new watch" || complain "the next start: $(cat report)"
}

@test "flash file is checked and not changed" {
    phone add Coffee Milk > /dev/null
    start_phone
    printf 'wait until synced\n' | play_script
    kill_phone
    printf 'wait until row 1 Coffee\ntap 1\nwait until settled\n' | play_script
    local before
    before=$(sha256sum < watch.flash)
    "$TAPLINE" watch --check-flash watch.flash > report
    has_text report "1 for the phone: Coffee is checked off" || complain "the check-off that waits: $(cat report)"
    has_text report "1 row, 1 open" || complain "the list: $(cat report)"
    expect_equal 1 "$("$TAPLINE" watch --check-flash watch.flash --json | json 'len(it["waiting"])')" "what waits"
    expect_equal "$before" "$(sha256sum < watch.flash)" "the file"
    # The first record, behind the head of the log.
    printf 'xyz' | dd of=watch.flash bs=1 seek=66 conv=notrunc status=none
    before=$(sha256sum < watch.flash)
    "$TAPLINE" watch --check-flash watch.flash > report && complain "damage is no failure: $(cat report)"
    has_text report "1 stretch of the log" || complain "the damage: $(cat report)"
    expect_equal "$before" "$(sha256sum < watch.flash)" "the file"
}

@test "options of other watches are refused" {
    local options
    for options in "--load x --board reference" "--load x --attach" "--load x --check-flash y"; do
        # shellcheck disable=SC2086
        expect_status 64 "$TAPLINE" watch $options
    done
}

@test "too long a request says what to do" {
    begin_watch
    { printf '# '; head -c 140000 /dev/zero | tr '\0' x; echo; echo "tap 1"; } > long
    expect_failure 1 "a watch, which takes 131072 at once: send them in parts" attach --script long
    expect_equal "done" "$(attach include long | json 'it["outcome"]')" "the same, included"
}

@test "byte order mark and pipes in scripts" {
    printf '\xef\xbb\xbfwait 1ms\n' > marked
    "$TAPLINE" watch --sockets "$work/sockets" --flash a.flash --headless --script marked
    mkfifo pipe
    echo "include pipe" > script
    expect_failure 1 "script:1: cannot read pipe: not a regular file" \
        "$TAPLINE" watch --sockets "$work/sockets" --flash a.flash --headless --script script
}
