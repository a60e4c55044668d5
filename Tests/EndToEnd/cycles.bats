#!/usr/bin/env bats
# `tapline cycles` on files that are no program for the part: one line that says what they are, and status 1.
load ../Support/command

# The rule for a file: this is what is said of it.
expect_refused() { # file words
    local status=0
    "$TAPLINE" cycles "$1" > printed 2> said || status=$?
    expect_equal "1 0 Error: cannot count $1: $2" "$status $(wc -c < printed) $(cat said)" "the status, what is printed and what is said"
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
    expect_refused short "it is not whole: copy or build it again"
}

@test "options that contradict each other are refused before anything is read" {
    local status=0
    "$TAPLINE" cycles nothing --json --flame - > printed 2> said || status=$?
    expect_equal "64 0" "$status $(wc -c < printed)" "the status and what is printed ($(cat said))"
    status=0
    "$TAPLINE" cycles nothing --limit 0 > printed 2> said || status=$?
    expect_equal "64 0" "$status $(wc -c < printed)" "the status and what is printed ($(cat said))"
}
