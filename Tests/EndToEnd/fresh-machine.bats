#!/usr/bin/env bats
# Tests/fresh-machine, as far as it goes without making a root: that takes minutes, and is Tests/run fresh.
load ../Support/command

# Puts a command of that name and text in front of the real one.
play() {
    mkdir -p bin
    printf '#!/usr/bin/env bash\n%s\n' "$2" > "bin/$1"
    chmod 755 "bin/$1"
    export PATH="$work/bin:$PATH"
}

@test "help teaches and shows nothing of a linter" {
    local script
    for script in Tests/fresh-machine Tests/run Simulator/start Simulator/package Simulator/man-pages Hardware/build \
        Tests/Bluetooth/build-guest; do
        "$top/$script" --help > help
        has_text help "$script" || complain "$script --help does not show how it is called: $(cat help)"
        if has_text help shellcheck; then complain "$script --help shows a linter's directive: $(cat help)"; fi
    done
}

@test "machine that cannot make another is told what it needs" {
    play id 'echo 1000'
    expect_failure 2 "a new root needs root: sudo" "$top/Tests/fresh-machine" true
    play id 'echo 0'
    play unshare 'exit 1'
    expect_failure 2 "CAP_SYS_ADMIN" "$top/Tests/fresh-machine" true
    play unshare 'exit 0'
    play df 'printf "Avail\n  3\n"'
    expect_failure 2 "a new root needs 12 GB" "$top/Tests/fresh-machine" true
}

@test "unknown option is refused" {
    expect_failure 2 "no such option '--new'" "$top/Tests/fresh-machine" --new
}
