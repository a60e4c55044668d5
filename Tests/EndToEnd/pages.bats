#!/usr/bin/env bats
# The manual pages that Simulator/man-pages makes from the help of the commands.
load ../Support/command

@test "each command has a manual page with its options and nothing of this machine" {
    "$top/Simulator/man-pages" "${TAPLINE%/*}" pages 2026-01-31
    local page
    for page in tapline tapline-watch tapline-phone-account-add tapline-lab-compare tapline-cycles; do
        [[ -s pages/$page.1 ]] || complain "there is no page $page"
    done
    has_text pages/tapline-watch.1 '\fB\-\-headless\fP' || complain "$(cat pages/tapline-watch.1)"
    has_text pages/tapline-lab.1 '\fB\-\-flame\fP' || complain "$(cat pages/tapline-lab.1)"
    has_text pages/tapline-phone-list.1 '\(ti/.local/share/tapline' || complain "$(cat pages/tapline-phone-list.1)"
    ! grep -rF -e "$HOME" -e "$work" -e "$(uname -n)" pages || complain "a page names a place of this machine"
}

@test "manual pages are read without a warning" {
    command -v groff > /dev/null || skip "groff is not installed"
    "$top/Simulator/man-pages" "${TAPLINE%/*}" pages
    groff -ww -mandoc -Tutf8 -z pages/*.1 2> warnings
    [[ ! -s warnings ]] || complain "$(cat warnings)"
}

@test "manual pages of programs that are not there are refused in one line" {
    expect_failure 1 "the pages cannot be made" "$top/Simulator/man-pages" "$work" pages
}
