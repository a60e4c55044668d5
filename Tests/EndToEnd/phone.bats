#!/usr/bin/env bats
# The phone's commands, with no watch and no host.
load ../Support/command
load ../Support/phone
load ../Support/watch

@test "added item is counted with those that were there" {
    phone add Milk Eggs Bread > /dev/null
    phone check Milk > /dev/null
    phone add Butter --json > added
    expect_equal "3 1 Butter" "$(json '" ".join([str(it["open"]), str(it["checked"]), it["items"][0]["title"]])' < added)" \
        "the counts"
}

# What bash is offered for the last of the words of a command line: the path of the command, the argument, the words.
offered() {
    local command=$1 argument=$2
    shift 2
    # shellcheck disable=SC2086
    SAP_SHELL=bash SAP_SHELL_VERSION=5.2 "$TAPLINE" ---completion $command -- "$argument" "$#" 0 tapline "$@"
}

@test "lists and items are completed and no database is made for it" {
    phone add Milk "Rye bread" > /dev/null
    phone add --list Hardware Screws > /dev/null
    local database=(--database "$work/phone.sqlite")
    expect_equal $'Hardware\nShopping' "$(offered "phone list" --list phone list "${database[@]}" --list "" | sort)" "the lists"
    expect_equal $'Milk\nRye bread' "$(offered "phone check" positional@0 phone check "${database[@]}" "" | sort)" "the items"
    expect_equal Screws "$(offered "phone check" positional@0 phone check "${database[@]}" --list Hardware "")" "of a list"
    phone add Milk --again > /dev/null
    phone check "Rye bread" > /dev/null
    expect_equal Milk "$(offered "phone check" positional@0 phone check "${database[@]}" "")" "what is open, each once"
    expect_equal "Rye bread" "$(offered "phone uncheck" positional@0 phone uncheck "${database[@]}" "")" "what is checked off"
    expect_equal "Rye bread" "$(offered "phone add" positional@0 phone add "${database[@]}" "")" "what was bought before"
    phone uncheck "Rye bread" > /dev/null
    expect_equal "" "$(offered "phone add" positional@0 phone add "${database[@]}" "")" "nothing that is on the list"
    expect_equal "Rye bread" "$(offered "phone check" positional@0 phone check "${database[@]}" Milk "")" "what is not named yet"
    offered "phone list" --list phone list --database "$work/typo.sqlite" --list "" > offers
    expect_equal "" "$(cat offers)" "what is offered without a database"
    [[ ! -e $work/typo.sqlite ]] || complain "a database was made"
    "$TAPLINE" --generate-completion-script bash > script
    has_text script "memory-lcd" || complain "no profiles are offered"
}

@test "command with a slip in its name is suggested" {
    local status=0
    "$TAPLINE" wacth 2> slip || status=$?
    expect_equal 64 "$status" "the exit status"
    has_text slip "Did you mean 'tapline watch'?" || complain "$(cat slip)"
    status=0
    "$TAPLINE" help wacth > out 2> slip || status=$?
    expect_equal "64 " "$status $(cat out)" "help of a command that there is not"
    has_text slip "Did you mean 'tapline help watch'?" || complain "$(cat slip)"
    phone ad Milk 2> slip || true
    has_text slip "Did you mean 'tapline phone add'?" || complain "$(cat slip)"
}

@test "database is checked and not changed" {
    phone add Milk > /dev/null
    local before
    before=$(cat "$work"/phone.sqlite* | sha256sum)
    expect_equal sound "$(phone check --json | json 'it["state"]')" "a sound database"
    printf 'no database, but a file of some length' > other.sqlite
    expect_failure 1 "other.sqlite is not a Tapline database" "$TAPLINE" phone check --database other.sqlite
    truncate -s 20G huge
    expect_failure 1 "huge is not a Tapline database" "$TAPLINE" phone check --database huge
    expect_equal "$before" "$(cat "$work"/phone.sqlite* | sha256sum)" "the database"
}

@test "backup of a served database is restored" {
    phone add Milk > /dev/null
    start_phone
    phone add Eggs > /dev/null
    expect_equal "Copied $work/phone.sqlite to copy.sqlite" "$(phone backup copy.sqlite)" "what is said"
    phone add Bread > /dev/null
    expect_failure 1 "copy.sqlite: there is a file of this name" phone backup copy.sqlite
    kill_phone
    rm -f phone.sqlite-wal phone.sqlite-shm
    cp copy.sqlite phone.sqlite
    expect_equal $'Milk\nEggs' "$(open_titles)" "the list of the copy"
    phone backup copy.sqlite --force > /dev/null
    expect_equal sound "$("$TAPLINE" phone check --database copy.sqlite --json | json 'it["state"]')" "the copy"
}

# As on a medium that is mounted to be read.
read_only() {
    unshare --map-root-user --mount bash -c 'mount --bind medium medium && mount -o remount,bind,ro medium && "$@"' \
        mounted "$@"
}

@test "database that cannot be written is read" {
    unshare --map-root-user --mount true || skip "no namespaces for this user"
    mkdir medium
    phone add Milk Eggs > /dev/null
    cp phone.sqlite medium/
    local before
    before=$(cat medium/* | sha256sum)
    read_only "$TAPLINE" phone list --database medium/phone.sqlite > report
    has_text report "Shopping: 2 left" || complain "the list: $(cat report)"
    read_only "$TAPLINE" phone export --database medium/phone.sqlite > report
    has_text report Milk || complain "the export: $(cat report)"
    expect_failure 1 "cannot be written" read_only "$TAPLINE" phone add --database medium/phone.sqlite Rye
    expect_failure 1 "medium/none.sqlite" read_only "$TAPLINE" phone list --database medium/none.sqlite
    printf 'no database, but a file of some length' > medium/phone.sqlite
    expect_failure 1 "medium/phone.sqlite is not a Tapline database" \
        read_only "$TAPLINE" phone list --database medium/phone.sqlite
    cp phone.sqlite medium/
    expect_equal "$before" "$(cat medium/* | sha256sum)" "the database"
}

@test "odd titles are kept or cleaned and never lost" {
    local long
    long=$(printf 'x%.0s' $(seq 10240))
    printf 'caf\xff\xe9\n\x1b[31mred\x07\n\xf0\x9f\xa5\x9b milk\n\xd7\x97\xd7\x9c\xd7\x91\n%s\n' "$long" | import_items
    phone list --json > list.json
    expect_equal 5 "$(json 'it["open"]' < list.json)" "items on the list"
    expect_equal True "$(json 'all(ord(c) >= 32 and ord(c) != 127 for i in it["items"] for c in i["title"])' < list.json)" \
        "no control character is left"
    expect_equal $'\xf0\x9f\xa5\x9b milk' "$(json 'it["items"][2]["title"]' < list.json)" "the title with an emoji"
    expect_equal $'\xd7\x97\xd7\x9c\xd7\x91' "$(json 'it["items"][3]["title"]' < list.json)" "the title from right to left"
    phone list > plain.txt
    if grep -q $'[\x01-\x08\x0b-\x1f]' plain.txt; then complain "a control character reached the terminal"; fi
}

@test "damaged database is an error and is left alone" {
    printf 'this is no database, and long enough to be looked at as one ....................................' > phone.sqlite
    cp phone.sqlite before
    expect_failure 1 "phone.sqlite" phone list
    expect_failure 1 "phone.sqlite" phone serve
    cmp before phone.sqlite
}

@test "database that was cut off is an error" {
    numbered_items 2000 | import_items
    truncate -s 20000 phone.sqlite
    rm -f phone.sqlite-wal phone.sqlite-shm
    expect_failure 1 "phone.sqlite" phone list
}

@test "what is no file is an error of one line" {
    mkdir shelf
    mkfifo pipe
    local place command
    for place in shelf pipe /dev/zero; do
        for command in check list serve; do
            expect_failure 1 "no regular file" "$TAPLINE" phone "$command" --database "$place"
        done
    done
}

@test "database in a directory whose name is not utf 8 is refused" {
    phone add Milk > /dev/null
    mkdir $'caf\xe9'
    cp phone.sqlite $'caf\xe9/'
    cd $'caf\xe9'
    local command
    for command in list check serve export; do
        expect_failure 1 "move it to a directory whose path is" "$TAPLINE" phone "$command" --database phone.sqlite
    done
    expect_failure 1 "move it to a directory whose path is" "$TAPLINE" phone add Eggs --database other.sqlite
    expect_equal phone.sqlite "$(ls)" "the directory"
}

@test "limit of file sizes is an error of one line" {
    local status=0
    # The pipe keeps the limit from what is printed.
    (ulimit -f 0 && phone add Milk 2>&1) | cat > said || status=$?
    expect_equal "1 1" "$status $(wc -l < said)" "the exit status and the lines of error ($(cat said))"
    phone add Milk > /dev/null
    expect_equal Milk "$(open_titles)" "the list"
}

@test "locked database is an error after a while" {
    phone add Milk > /dev/null
    # shellcheck disable=SC2016
    start lock python3 -c 'import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA locking_mode = EXCLUSIVE")
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
time.sleep(10000)' "$work/phone.sqlite"
    eventually has_text lock.out locked
    expect_failure 1 "locked" phone add Eggs
    kill -KILL "$last"
    wait "$last" 2> /dev/null || true
    phone add Eggs > /dev/null
    expect_equal $'Milk\nEggs' "$(open_titles)" "the list"
}

@test "signal ends a phone that waits for a mute bus" {
    start bus python3 -c 'import socket, sys, time
bus = socket.socket(socket.AF_UNIX)
bus.bind(sys.argv[1])
bus.listen()
print("listens", flush=True)
connection, _ = bus.accept()
print("asked", flush=True)
time.sleep(10000)' "$work/bus"
    eventually has_text bus.out listens
    DBUS_SYSTEM_BUS_ADDRESS="unix:path=$work/bus" start phone "$TAPLINE" phone serve --link bluetooth \
        --database "$work/phone.sqlite" --sockets "$work/sockets"
    eventually has_text bus.out asked
    kill -TERM "$last"
    local status=0
    wait "$last" || status=$?
    # Of the signal, and not of the time that the bus has for its answer.
    expect_equal $((128 + 15)) "$status" "the exit status"
}
