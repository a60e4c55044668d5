#!/usr/bin/env bats
# Where the passwords of calendar accounts are: the keyring of a session of the test's own, or the file.
load ../Support/command
load ../Support/radicale

# A command of the phone.
phone() {
    "$TAPLINE" phone "$@" --database "$work/phone.sqlite" --sockets "$work/sockets"
}

# Starts Radicale with the collection Food of the user ann.
start_server() {
    local list=Food
    start_radicale
    make_collection
}

# Starts a session bus that knows no service; its process is $bus.
start_bus() {
    command -v dbus-daemon > /dev/null || skip "dbus-daemon is not installed"
    cat > bus.conf << END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${work// /%20}/bus</listen><auth>EXTERNAL</auth><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
END
    start bus dbus-daemon --config-file="$work/bus.conf" --nofork --nopidfile
    bus=$last
    export DBUS_SESSION_BUS_ADDRESS=unix:path=${work// /%20}/bus
    eventually has_bus
}

# Whether the bus takes connections: its socket exists before that.
has_bus() {
    dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId > /dev/null 2>&1
}

# Starts the keyring of the session with its collection unlocked; its process is $keyring.
start_keyring() {
    [[ -n ${DBUS_SESSION_BUS_ADDRESS:-} ]] || start_bus
    command -v gnome-keyring-daemon > /dev/null || skip "GNOME Keyring is not installed"
    printf 'of the session' > unlock
    gnome-keyring-daemon --foreground --unlock --components=secrets < unlock > keyring.out 2> keyring.err 3>&- &
    keyring=$!
    started+=("$keyring")
    eventually has_keyring
}

has_keyring() {
    call_keyring /org/freedesktop/secrets/aliases/default org.freedesktop.DBus.Properties.Get \
        string:org.freedesktop.Secret.Collection string:Locked | grep "boolean false" > /dev/null
}

# Calls a method of the keyring: an object, the method, its arguments.
call_keyring() {
    local object=$1 method=$2
    shift 2
    dbus-send --session --print-reply --dest=org.freedesktop.secrets "$object" "$method" "$@" 2> /dev/null
}

lock_keyring() {
    call_keyring /org/freedesktop/secrets org.freedesktop.Secret.Service.Lock \
        array:objpath:/org/freedesktop/secrets/collection/login > /dev/null
}

# How many passwords are in the keyring.
kept() {
    call_keyring /org/freedesktop/secrets org.freedesktop.Secret.Service.SearchItems \
        dict:string:string:database,"$work/phone.sqlite" | grep -c "object path" || true
}

# Adds the account: more options. What it says is in `added`.
add_account() {
    printf secret | phone account add "http://$server" --user ann "$@" > added
}

# Where the passwords of the accounts are, as a script reads it.
places() {
    phone account list --json | json '" ".join(account["password"] for account in it)'
}

@test "the password is in the keyring and nowhere else" {
    start_server
    start_keyring
    add_account
    expect_equal "The password is in the keyring" "$(head -n 1 added)" "it is said where"
    expect_equal keyring "$(places)" "and listed"
    phone account list | grep "as ann, password in the keyring$" > /dev/null || complain "$(phone account list)"
    expect_equal 1 "$(kept)" "passwords in the keyring"
    if grep -rlF secret phone.sqlite* > found; then complain "the password is in $(cat found)"; fi
    phone add --list Food Milk > /dev/null
    phone sync | grep "1 sent" > /dev/null || complain "it is not used"
    phone account remove 1 > removed
    expect_equal 0 "$(kept)" "passwords in the keyring, of a forgotten account"
}

@test "without a bus or a keyring it is in the file and none is started" {
    start_server
    mkdir bin
    printf '#!/bin/sh\necho started >> "%s/started"\n' "$work" > bin/dbus-launch
    chmod 755 bin/dbus-launch
    PATH="$work/bin:$PATH" DISPLAY=:77 add_account
    [[ ! -e started ]] || complain "a bus was started"
    expect_equal "The password is in $work/phone.sqlite-passwords, which only you can read" "$(head -n 1 added)" "it is said where"
    expect_equal file "$(places)" "and listed"
    phone account remove 1 > /dev/null
    has_text phone.sqlite-passwords secret && complain "it is still there"
    start_bus
    add_account
    expect_equal file "$(places)" "on a bus without a keyring"
}

@test "a password that is in the file stays there until the account is added anew" {
    start_server
    add_account
    start_keyring
    phone sync > /dev/null
    expect_equal file "$(places)" "with a keyring since"
    phone account remove 1 > /dev/null
    add_account
    expect_equal keyring "$(places)" "added anew"
    phone account remove "http://$server" > /dev/null
    add_account --password-in file
    expect_equal file "$(places)" "added to the file"
    expect_equal 0 "$(kept)" "passwords in the keyring"
}

@test "a locked keyring is told in one line and nothing is lost" {
    start_server
    start_keyring
    add_account
    lock_keyring
    phone add --list Food Milk > /dev/null
    expect_equal "keyring, locked" "$(places)" "what is listed"
    local status=0
    phone sync > out 2>&1 || status=$?
    expect_equal 1 "$status" "the status"
    expect_equal "http://$server/: the keyring is locked: unlock it, or remove the account and add it with --password-in file" \
        "$(cat out)" "what is said"
    phone account list | grep "1 to be sent" > /dev/null || complain "$(phone account list)"
    kill -TERM "$keyring"
    wait "$keyring" || true
    start_keyring
    phone sync | grep "1 sent" > /dev/null || complain "it is not sent after the keyring was unlocked"
    lock_keyring
    phone account remove 1 > out 2> err
    has_text err "remove \"Tapline: http://$server/ as ann\" there yourself" || complain "$(cat err)"
    expect_equal "Forgot http://$server/; its lists stay here" "$(cat out)" "it can be forgotten all the same"
}

@test "a keyring that cannot be unlocked keeps no half account" {
    start_server
    start_keyring
    lock_keyring
    expect_failure 1 "add the account with --password-in file" bash -c \
        'printf secret | "$0" phone account add "$1" --user ann --database phone.sqlite --sockets sockets' "$TAPLINE" "http://$server"
    expect_equal "" "$(places)" "accounts"
    add_account --password-in file
    expect_equal file "$(places)" "with the file"
}

@test "a host outlives the keyring and its bus" {
    start_server
    start_keyring
    add_account
    start host "$TAPLINE" phone serve --database "$work/phone.sqlite" --sockets "$work/sockets"
    local host=$last
    eventually has_text host.out Serving
    phone add --list Food Milk > /dev/null
    eventually on_server Milk
    kill -TERM "$bus"
    wait "$bus" || true
    phone add --list Food Bread > /dev/null
    eventually has_text host.err "the keyring cannot be reached"
    expect_equal "keyring, unreachable" "$(places)" "what is listed"
    kill -TERM "$host"
    wait "$host" || complain "the host ended with status $?"
}

# Whether the server has an item of a title.
on_server() {
    grep -rqF "SUMMARY:$1" "$work/radicale"
}
