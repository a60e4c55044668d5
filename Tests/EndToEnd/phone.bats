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

@test "items are checked put back and removed by number id and title" {
    expect_equal $'Added "Milk" to Shopping\nAdded "Rye bread" to Shopping' "$(phone add Milk "Rye  bread")" "what is added"
    expect_equal $'Shopping: 2 left\n1  [ ] Milk\n2  [ ] Rye bread' "$(phone list)" "the list"
    expect_equal $'Checked off "Milk"\nChecked off "Rye bread"' "$(phone check 1 ry)" "what is checked off"
    expect_equal $'1  [x] Milk\n2  [x] Rye bread' "$(phone list --all | tail -n 2)" "all of the list"
    expect_equal 'Was already checked off: "Milk"' "$(phone check milk)" "once more"
    expect_equal 'Put back "Rye bread"' "$(phone uncheck 2)" "what is put back"
    expect_equal 'Removed "Rye bread"' "$(phone remove "$(phone list --json | json 'it["items"][0]["id"]')")" "what is removed"
    expect_output "unchecked Rye bread  (command)" phone history --last 2
    has_text status.out "removed   Rye bread  (command)" || complain "$(cat status.out)"
}

@test "item that is meant by several or by none changes nothing" {
    phone add Milk Eggs > /dev/null
    phone add Milk --again > /dev/null
    expect_failure 1 'Error: "milk" could be 1 "Milk" (id ' phone check milk
    expect_failure 1 "nothing" phone check eggs nothing
    expect_failure 1 "at least one visible character" phone add Rye " "
    expect_equal $'Milk\nEggs\nMilk' "$(open_titles)" "the list"
    expect_failure 1 "none/phone.sqlite cannot be opened (there is none; \`tapline phone add\`" \
        "$TAPLINE" phone list --database none/phone.sqlite
    [[ ! -e none ]] || complain "a directory was made"
    expect_failure 1 "/nowhere/list: cannot be read (No such file or directory)" phone import /nowhere/list
}

@test "history has what was before" {
    phone add Milk --note oat > /dev/null
    phone import - <<< Eggs > /dev/null
    expect_equal 'Renamed "Milk" to "Oat milk"' "$(phone rename milk "Oat  milk")" "a new title"
    expect_equal 'Was already called "Oat milk"' "$(phone rename 1 "Oat milk")" "the same title"
    expect_failure 1 "a title needs at least one visible character" phone rename 1 " "
    expect_failure 1 9 phone rename 9 x
    phone describe 1 --amount "2 l" --note "" > /dev/null
    expect_equal $'added     Milk  (command)\nadded     Eggs  (import)
renamed   Oat milk, was "Milk"  (command)\ndescribed Oat milk, 2 l, was "Oat milk (oat)"  (command)' \
        "$(phone history | sed -E 's/^[^a-z]*//')" "the history"
    expect_equal Milk "$(phone history --event renamed --json | json 'it[0]["formerTitle"]')" "the title before"
    expect_equal "2 l oat" "$(phone history --event described --json | json 'it[0]["amount"] + " " + it[0]["formerNote"]')" \
        "the amount and the note before"
}

@test "list is imported exported and put on the watches" {
    expect_equal "Imported 2 items into Weekend, 1 of them checked off already" \
        "$(printf '# Anything\n\n- [ ] Milk\n- [x] Bread\n' | phone import - --list Weekend)" "what is imported"
    expect_equal $'# Weekend\n\n- [ ] Milk\n- [x] Bread' "$(phone export --list Weekend)" "the export"
    expect_equal Milk "$(phone export --list Weekend --plain)" "the plain export"
    expect_equal "2 1 2 Shopping" "$(phone export --list Weekend | phone import --json - \
        | json '" ".join(str(it[key]) for key in ["imported", "checked", "skippedLines", "list"])')" "what is imported again"
    expect_equal "* Weekend: 1 left, 1 checked off" "$(phone lists --activate Weekend | tail -n 1)" "the lists"
    expect_equal $'Weekend: 1 left\n1  [ ] Milk' "$(phone list)" "the list of the watches"
    expect_failure 1 'there is no list "Nope": the lists are "Shopping", "Weekend"' phone list --list Nope
}

@test "wrong use is an error of its own status" {
    local words
    for words in add import "export --plain --json" "list --nonsense" nonsense "history --last -1" "history --event eaten" \
        "rename milk" "complication add" "complication add a --for 2x" "complication add a --for 1h --until 20:00" \
        "complication add a --relevance 256" "complication remove" "complication remove 1 --all"; do
        # shellcheck disable=SC2086
        expect_refusal 64 "Error: " "$TAPLINE" phone $words
    done
}

@test "what cannot be printed is an error of one line" {
    phone add Milk > /dev/null
    local command
    for command in export list check; do
        expect_failure 1 "cannot write to the standard output" \
            sh -c 'exec "$@" > /dev/full' sh "$TAPLINE" phone "$command" --database "$work/phone.sqlite"
        expect_failure 1 "cannot write to the standard output" \
            sh -c 'exec "$@" >&-' sh "$TAPLINE" phone "$command" --database "$work/phone.sqlite"
    done
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
    expect_output "memory-lcd" "$TAPLINE" --generate-completion-script bash
}

@test "command with a slip in its name is suggested" {
    expect_refusal 64 "Did you mean 'tapline watch'?" "$TAPLINE" wacth
    expect_refusal 64 "Did you mean 'tapline help watch'?" "$TAPLINE" help wacth
    expect_equal "" "$(cat status.out)" "help of an unknown command"
    expect_refusal 64 "Did you mean 'tapline phone add'?" phone ad Milk
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

@test "what is not utf 8 on the command line names no other file" {
    phone add Milk > /dev/null
    cp phone.sqlite $'caf\xe9.sqlite'
    expect_failure 1 "argument 4 is not UTF-8 (caf" "$TAPLINE" phone list --database $'caf\xe9.sqlite'
    expect_failure 1 "argument 3 is not UTF-8" "$TAPLINE" phone import $'caf\xe9'
    expect_failure 1 "argument 3 is not UTF-8" "$TAPLINE" wormhole send $'caf\xe9.sqlite'
    expect_failure 1 "argument 3 is not UTF-8" "$TAPLINE" lab --json $'caf\xe9.json'
    XDG_DATA_HOME=$work/$'caf\xe9' expect_failure 1 "XDG_DATA_HOME is not UTF-8" "$TAPLINE" phone list
    mkdir $'caf\xe9'
    cd $'caf\xe9'
    expect_failure 1 "the path of the working directory is not UTF-8" "$TAPLINE" wormhole receive .
    expect_failure 1 "the path of the working directory is not UTF-8" "$TAPLINE" lab --json lab.json
    expect_equal "" "$(find "$work" -name $'*\xef\xbf\xbd*')" "files with a repaired name"
}

@test "database that would be in no file is refused" {
    local command
    for command in list check serve export lists history watches "add Milk" "complication list"; do
        # shellcheck disable=SC2086
        expect_failure 1 "a database needs a file" "$TAPLINE" phone $command --database :memory:
    done
    for command in outstanding peers "listen note" "pass note 1" "ask lap 1"; do
        # shellcheck disable=SC2086
        expect_failure 1 "a database needs a file" "$TAPLINE" wormhole $command --database :memory:
    done
    expect_equal "" "$(find . -name ':memory:*')" "what was created"
    # SQLite would take this for a URI.
    "$TAPLINE" phone add Milk --database file:list > /dev/null
    "$TAPLINE" phone backup file:copy --database file:list > /dev/null
    [[ -e file:list && -e file:copy && ! -e list && ! -e copy ]] || complain "$(ls)"
}

@test "file system without locks is named as the cause" {
    phone add Milk > /dev/null
    cc -shared -fPIC -o no-locks.so "$top/Tests/Support/no-locks.c" -ldl
    local reason
    # ENOLCK and EOPNOTSUPP.
    for reason in 37 95; do
        LD_PRELOAD=./no-locks.so LOCK_ERROR=$reason expect_failure 1 \
            "phone.sqlite cannot be opened (its file system has no locks, use one that has)" phone list
        LD_PRELOAD=./no-locks.so LOCK_ERROR=$reason expect_failure 1 \
            "the file system of messages has no locks: name another database, on one that has" \
            "$TAPLINE" wormhole outstanding --database messages
    done
    expect_equal Milk "$(open_titles)" "the list"
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
    DBUS_SYSTEM_BUS_ADDRESS="unix:path=${work// /%20}/bus" start phone "$TAPLINE" phone serve --link bluetooth \
        --database "$work/phone.sqlite" --sockets "$work/sockets"
    eventually has_text bus.out asked
    kill -TERM "$last"
    expect_end $((128 + 15)) "$last"
}

@test "host says when it is ready and stops in order" {
    local signal
    for signal in TERM INT HUP; do
        start_phone
        expect_equal "Serving $work/phone.sqlite at $work/sockets/watch.sock" "$(cat phone.out)" "what is said"
        test -S sockets/watch.sock
        kill "-$signal" "$phone"
        wait "$phone" || complain "the status after SIG$signal: $?"
        [[ ! -e sockets/watch.sock && ! -e phone.sqlite-wal ]] || complain "files are left after SIG$signal: $(ls . sockets)"
    done
    start host "$TAPLINE" phone serve --json --database "$work/phone.sqlite" --sockets "$work/sockets"
    eventually test -s host.out
    expect_equal "$last $work/sockets/watch.sock" "$(json '"%d %s" % (it["process"], it["socket"])' < host.out)" "for a program"
}

@test "host whose log no program reads serves and stops" {
    mkfifo log
    exec {log}<> log
    # The pipe is full before the host writes its first line.
    dd if=/dev/zero of=log bs=4096 oflag=nonblock 2> /dev/null || true
    "$TAPLINE" phone serve --database "$work/phone.sqlite" --sockets "$work/sockets" > phone.out 2>&"$log" 3>&- &
    phone=$!
    started+=("$phone")
    eventually test -s phone.out
    phone add Milk > /dev/null
    kill -TERM "$phone"
    wait "$phone"
}

@test "watch is forgotten while the host serves" {
    phone add Milk > /dev/null
    start_phone
    expect_equal "" "$(phone watches)" "the watches at first"
    printf 'wait until synced\ntap 1\nwait until synced\n' | play_script > /dev/null
    local identity
    identity=$(phone watches | cut -c 1-16)
    expect_output "(watch $identity, message 1)" phone history
    expect_failure 1 'no watch matches "nobody": give its name, or four digits or more, as `tapline phone watches` shows them' \
        phone forget nobody
    expect_output "Forgot watch $identity" phone forget "${identity:0:6}"
    expect_equal "" "$(phone watches)" "the watches that are left"
    expect_output "(forgotten watch $identity, message 1)" phone history
}
