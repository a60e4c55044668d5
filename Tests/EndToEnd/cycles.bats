#!/usr/bin/env bats
# `tapline cycles` on files that are no program for the part: one line that says what they are, and status 1.
load ../Support/command

# The rule for a file: this is what is said of it.
expect_refused() { # file words
    expect_failure 1 "Error: cannot count $1: $2" "$TAPLINE" cycles "$1"
    expect_equal "" "$(cat status.out)" "what is printed"
}

@test "files that are no program for the part are named" {
    expect_refused nothing "No such file or directory"
    expect_refused . "Is a directory"
    echo "int main;" > text.c
    expect_refused text.c "it is no ELF file"
    : > empty
    expect_refused empty "it is no ELF file"
    expect_refused /bin/true "it is for another processor (machine $(od -An -tu2 -j18 -N2 /bin/true | tr -d ' ')), not for a Cortex-M4"
    printf '\177ELF\001\001\001' > short
    expect_refused short "it is incomplete: copy or build it again"
}

@test "options that contradict each other are refused before anything is read" {
    local options
    for options in "--json --flame -" "--limit 0"; do
        # shellcheck disable=SC2086 # an option and its argument
        expect_status 64 "$TAPLINE" cycles nothing $options
        expect_equal "" "$(cat status.out)" "what is printed"
    done
}

@test "a program that does not end is reported as far as it came, with status 1" {
    local status=0 programs="$top/Tests/EmulatorTests/Programs"
    echo 'int main(void) { for (;;) __asm volatile(""); }' > spin.c
    clang --target=armv7em-none-none-eabi -mcpu=cortex-m4 -mfloat-abi=hard -O1 -ffreestanding -nostdlib -fuse-ld=lld \
        "-Wl,-T,$programs/memory.ld" -o spin.elf "$programs/start.c" spin.c
    "$TAPLINE" cycles spin.elf --limit 1000 --json > printed 2> said || status=$?
    expect_equal 1 "$status" "the status"
    expect_equal "unfinished 1000" \
        "$(/usr/bin/python3 -c 'import json; it = json.load(open("printed")); print(it["ending"], it["instructions"])')" \
        "the JSON"
    expect_equal "Error: cannot count spin.elf to its end: it has not ended after 1000 instructions, and is in main" \
        "$(cat said)" "what is said"
    "$TAPLINE" cycles spin.elf --limit 1000 > printed 2> /dev/null && status=0
    expect_equal "1 The figures are incomplete: it has not ended after 1000 instructions, and is in main." \
        "$status $(head -n 1 printed)" "the status and the first line"
}
