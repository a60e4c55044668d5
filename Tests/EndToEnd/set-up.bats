#!/usr/bin/env bats
# Setting up a machine: with commands that play a machine where something is missing.
load ../Support/command

# Makes a directory of commands that comes before the real ones, and a Debian on which only these packages are installed.
play_machine() {
    mkdir bin
    printf 'ii %s\n' "$@" > installed
    play dpkg-query "cat '$work/installed'"
    play apt-get "echo \"apt-get \$*\" >> '$work/calls'
if [[ \$1 == install ]]; then for p; do echo \"ii \$p\" >> '$work/installed'; done; fi"
    play sudo "echo \"sudo \$*\" >> '$work/calls'
while [[ \$1 == -* ]]; do shift; done; exec \"\$@\""
    : > calls
    export PATH="$work/bin:$PATH"
}

# Puts a command of that name and text in front of the real one.
play() {
    printf '#!/usr/bin/env bash\n%s\n' "$2" > "bin/$1"
    chmod 755 "bin/$1"
}

set_up_machine() {
    "$top/Simulator/set-up" "$@" > set-up.out 2> set-up.err
}

@test "complete machine gets nothing and hears nothing" {
    play_machine libtickit-dev libchafa-dev libglib2.0-dev libgif-dev libpng-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev bats dbus-bin dbus-daemon parallel python3-venv python3-caldav radicale xandikos gnome-keyring
    set_up_machine tests
    expect_equal "" "$(cat calls set-up.out set-up.err)" "what was called and said"
}

@test "missing packages are named and installed once" {
    play_machine libgif-dev libpng-dev
    play id 'echo 0'
    set_up_machine
    has_text set-up.err "Installing from Debian: libtickit-dev libchafa-dev libglib2.0-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev" || complain "$(cat set-up.err)"
    expect_equal 1 "$(grep -c 'apt-get update' calls)" "updates of the lists"
    has_text calls "libtickit-dev libchafa-dev libglib2.0-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev" || complain "$(cat calls)"
    : > calls
    set_up_machine
    expect_equal "" "$(cat calls)" "what a second run calls"
}

@test "tests are given a bus and python environments" {
    play_machine libtickit-dev libchafa-dev libglib2.0-dev libgif-dev libpng-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev
    play id 'echo 0'
    set_up_machine tests
    has_text set-up.err "Installing from Debian: bats dbus-bin dbus-daemon parallel python3-venv python3-caldav radicale xandikos gnome-keyring" || complain "$(cat set-up.err)"
}

@test "bluetooth tests are given the guest and python environments" {
    local libraries="bluez bluez-test-tools busybox-static dbus-daemon python3-venv"
    play_machine libtickit-dev libchafa-dev libglib2.0-dev libgif-dev libpng-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev
    play id 'echo 0'
    set_up_machine bluetooth
    has_text set-up.err "Installing from Debian: $libraries" || complain "$(cat set-up.err)"
}

@test "commands of administration are found by any user" {
    # shellcheck disable=SC2016
    expect_equal yes "$(PATH=/usr/bin:/bin bash -c 'source "$1" && [[ :$PATH: == *:/usr/sbin:* ]] && echo yes' set-up \
        "$top/Simulator/set-up")" "whether /usr/sbin is searched"
}

@test "user who is not root installs with sudo" {
    play_machine libgif-dev libpng-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev
    play id 'echo 1000'
    set_up_machine
    has_text calls "sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install" || complain "$(cat calls)"
}

@test "user whom sudo refuses is told what to run" {
    play_machine libchafa-dev libglib2.0-dev libgif-dev libpng-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev
    play id 'echo 1000'
    play sudo 'exit 1'
    expect_failure 1 "apt-get install libtickit-dev" "$top/Simulator/set-up"
    expect_equal "" "$(cat calls)" "what was called"
}

# Sets up with a PATH on which there is no Swift, and with one usual place for it: $1.
set_up_without_swift_on_path() {
    local command
    for command in bash sed grep cat env pkg-config git; do ln -sf "$(command -v "$command")" bin/; done
    # shellcheck disable=SC2016
    PATH=$work/bin bash -c 'set -euo pipefail; source "$1"; toolchain=$2; usual_swift_places() { echo "$toolchain"; }; set_up
        command -v swift' set-up "$top/Simulator/set-up" "$1"
}

@test "swift is found at a usual place" {
    play_machine libtickit-dev libchafa-dev libglib2.0-dev libgif-dev libpng-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev
    mkdir toolchain
    play swift 'true'
    mv bin/swift toolchain/
    expect_equal "$work/toolchain/swift" "$(set_up_without_swift_on_path "$work/toolchain")" "the Swift that is used"
}

@test "machine without swift is told so" {
    play_machine libtickit-dev libchafa-dev libglib2.0-dev libgif-dev libpng-dev libsqlite3-dev libbluetooth-dev libsystemd-dev libcurl4-openssl-dev libssl-dev libsecret-1-dev
    expect_failure 1 "no Swift toolchain" set_up_without_swift_on_path "$work/nothing"
}
