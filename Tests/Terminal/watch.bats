#!/usr/bin/env bats
# The watch in a real terminal.
load ../Support/command
load ../Support/phone
load ../Support/watch
load ../Support/screen

# Whether the screen says that watch and phone are in sync.
screen_says_in_sync() {
    screen_shows "in sync" && screen_lacks "not in sync"
}

# A phone with a list of three, and the watch in a terminal of the given columns and rows, with the list open.
open_list() {
    phone add Milk Eggs Bread > /dev/null
    start_phone
    open_screen "$1" "$2"
    before=$(line_settings)
    type_line "'$TAPLINE' watch --sockets '$work/sockets' --flash '$work/watch.flash'; echo \"status=\$?\""
    eventually screen_shows_pixels
    # The panel beside the watch says so when the list has come.
    eventually screen_says_in_sync
}

# The rule that the watch has ended with a status and left the terminal as it found it.
expect_terminal_as_before() {
    eventually screen_shows "status=$1"
    eventually screen_shows_no_pixels
    eventually line_settings_are "$before"
    type_line 'echo it''works'
    eventually screen_shows itworks
    # Neither the other screen, nor the mouse, nor a hidden cursor is left on.
    expect_equal "0 0 1" "$(screen display-message -p '#{alternate_on} #{mouse_any_flag} #{cursor_flag}')" "the modes"
}

# Prints the cell of a row's middle: the display is in the case, whose upper left corner is drawn.
cell_of_row() {
    screen_text | python3 -c '
import sys
# A row is six cells high under a title bar of six; the display is 72 cells wide, a cell away from the edge of the case.
lines = sys.stdin.read().splitlines()
row = next(number for number, line in enumerate(lines) if "╭" in line)
column = lines[row].index("╭")
print(column + 2 + 36, row + 2 + 6 + 6 * int(sys.argv[1]) + 3)' "$1"
}

@test "click on a row checks its item off" {
    open_list 120 50
    local column row
    read -r column row < <(cell_of_row 1)
    click "$column" "$row"
    eventually has_checked Eggs
    press_keys q
    expect_terminal_as_before 0
}

# Whether the phone knows that an item was checked off.
has_checked() {
    [[ $'\n'$(checked_titles)$'\n' == *$'\n'"$1"$'\n'* ]]
}

# Prints the cell in the middle of the text of the first argument.
cell_of_text() {
    screen_text | python3 -c '
import sys
lines = sys.stdin.read().splitlines()
row = next(number for number, line in enumerate(lines) if sys.argv[1] in line)
print(lines[row].index(sys.argv[1]), row)' "$1"
}

# The watch in 80 x 24 cells, in which its panel is text.
open_small_list() {
    phone add Milk Eggs Bread > /dev/null
    start_phone
    open_screen 80 24
    before=$(line_settings)
    type_line "'$TAPLINE' watch --sockets '$work/sockets' --flash '$work/watch.flash'; echo \"status=\$?\""
    eventually screen_shows "3 Bread"
    eventually screen_says_in_sync
}

@test "whole list is text in 80 by 24 and a click on it is a tap" {
    open_small_list
    screen_shows_no_pixels || complain "braille in 80 x 24"
    local column row
    read -r column row < <(cell_of_text "2 Eggs")
    click "$column" "$row"
    eventually has_checked Eggs
    eventually screen_shows "2 Bread"
    # The crown is beside the case: the face comes up.
    read -r column row < <(cell_of_text "≡")
    click "$column" "$row"
    eventually screen_lacks "1 Milk"
    press_keys q
    expect_terminal_as_before 0
}

# Whether the shell has said so often that a job is stopped.
has_stopped() {
    [[ $(screen_text | grep -c Stopped) == "$1" ]]
}

@test "watch in the background is stopped until it comes to the foreground" {
    phone add Milk > /dev/null
    start_phone
    open_screen 200 60
    before=$(line_settings)
    type_line "set -b; '$TAPLINE' watch --sockets '$work/sockets' --flash '$work/watch.flash' &"
    eventually has_stopped 1
    expect_equal 0 "$(screen display-message -p '#{alternate_on}')" "the other screen"
    type_line 'fg; echo "status=$?"'
    eventually screen_shows_pixels
    press_keys C-z
    eventually has_stopped 2
    type_line bg
    eventually has_stopped 3
    expect_equal 0 "$(screen display-message -p '#{alternate_on}')" "the other screen after bg"
    type_line 'fg; echo "status=$?"'
    eventually screen_shows_pixels
    press_keys q
    expect_terminal_as_before 0
}

@test "key changes the view" {
    open_small_list
    press_keys v
    eventually screen_shows_pixels
    press_keys v
    eventually screen_shows "1 Milk"
    eventually screen_shows_no_pixels
    press_keys q
    expect_terminal_as_before 0
}

@test "pixels that there are not are told" {
    open_small_list
    press_keys q
    eventually screen_shows "status=0"
    type_line "clear; '$TAPLINE' watch --view pixels --sockets '$work/sockets' --flash '$work/watch.flash'"
    eventually screen_shows "no pixels: tmux passes"
    press_keys q
}

@test "unlisted digit in the fault menu checks nothing off" {
    open_small_list
    press_keys f
    eventually screen_shows "link loss      0 %"
    press_keys 9 7 2
    eventually screen_shows "not reachable"
    press_keys 0 f
    eventually screen_lacks "link loss"
    expect_equal "" "$(checked_titles)" "the history"
    press_keys q
    expect_terminal_as_before 0
}

@test "terminal without a second screen gets plain lines" {
    phone add Milk > /dev/null
    start_phone
    open_screen 80 24
    local type
    for type in vt100 vt220 ansi; do
        type_line "clear; TERM=$type '$TAPLINE' watch --sockets '$work/sockets' --flash '$work/watch.flash'"
        eventually screen_shows "1 [ ] Milk"
        type_line quit
        eventually screen_shows 'ready>'
    done
}

@test "doctor says which view it is and why" {
    open_screen 80 24
    type_line "'$TAPLINE' doctor | cat; '$TAPLINE' doctor"
    eventually screen_shows "text in 80 x 24: tmux passes no pictures on"
}

@test "digit taps a row" {
    open_list 120 50
    press_keys 3
    eventually has_checked Bread
    press_keys q
    expect_terminal_as_before 0
}

@test "keys pause the watch and step through a tap" {
    open_list 120 50
    press_keys p
    eventually screen_shows paused
    press_keys 1
    press_keys n
    eventually screen_shows "paused after a touch"
    expect_equal "" "$(checked_titles)" "the history of a paused watch"
    press_keys p
    eventually has_checked Milk
    eventually screen_lacks paused
    press_keys '>'
    eventually screen_shows "speed 2x"
    press_keys '<'
    eventually screen_lacks "speed 2x"
    press_keys q
    expect_terminal_as_before 0
}

@test "faults are chosen from a menu" {
    open_list 120 50
    press_keys f
    eventually screen_shows "link loss      0 %"
    press_keys 1
    eventually screen_shows "link loss      10 %"
    press_keys 2
    eventually screen_shows "not reachable"
    press_keys 0
    eventually screen_says_in_sync
    press_keys f
    eventually screen_lacks "link loss"
    press_keys q
    expect_terminal_as_before 0
}

@test "item added with the phone appears beside the watch" {
    open_list 120 50
    eventually screen_shows "3 left"
    phone add Butter > /dev/null
    eventually screen_shows "4 left"
    press_keys q
    expect_terminal_as_before 0
}

@test "size may change to tiny and back" {
    open_list 120 50
    screen resize-window -x 10 -y 5
    eventually screen_shows_no_pixels
    screen resize-window -x 80 -y 24
    eventually screen_shows "1 Milk"
    screen_shows_no_pixels || complain "braille in 80 x 24"
    screen resize-window -x 200 -y 60
    eventually screen_shows_pixels
    press_keys 1
    eventually has_checked Milk
    press_keys q
    expect_terminal_as_before 0
}

@test "tiny terminal shows rows as text" {
    phone add Milk > /dev/null
    start_phone
    open_screen 10 5
    type_line "'$TAPLINE' watch --sockets '$work/sockets' --flash '$work/watch.flash'"
    eventually screen_shows Milk
    press_keys q
    eventually screen_shows 'ready>'
}

@test "control c leaves the terminal as it was" {
    open_list 100 50
    press_keys C-c
    expect_terminal_as_before 0
}

@test "stopped watch gives the terminal back and continues" {
    open_list 100 50
    press_keys C-z
    eventually screen_shows Stopped
    eventually line_settings_are "$before"
    type_line 'echo it''works'
    eventually screen_shows itworks
    type_line fg
    eventually screen_shows_pixels
    press_keys 1
    eventually has_checked Milk
    press_keys q
    eventually screen_shows_no_pixels
    eventually line_settings_are "$before"
}

@test "signal to quit leaves the terminal as it was" {
    open_list 100 50
    kill -QUIT "$(watch_process)"
    expect_terminal_as_before 131
}

@test "signal to end leaves the terminal as it was" {
    open_list 100 50
    kill -TERM "$(watch_process)"
    expect_terminal_as_before 143
}

@test "crash leaves the terminal as it was" {
    # The tracer takes it for granted that a crash happens again when the program goes on, which one from outside does not.
    export SWIFT_BACKTRACE=enable=no
    open_list 100 50
    kill -SEGV "$(watch_process)"
    expect_terminal_as_before 139
}

@test "trap leaves the terminal as it was" {
    export SWIFT_BACKTRACE=enable=no
    open_list 100 50
    kill -ILL "$(watch_process)"
    expect_terminal_as_before 132
}

@test "dumb terminal gets plain lines" {
    phone add Milk > /dev/null
    start_phone
    open_screen 80 24
    type_line "TERM=dumb '$TAPLINE' watch --sockets '$work/sockets' --flash '$work/watch.flash'"
    eventually screen_shows "1 left"
    eventually screen_shows "1 [ ] Milk"
    type_line "dance"
    eventually screen_shows "unknown command"
    type_line quit
    eventually screen_shows 'ready>'
}

@test "terminal of an unknown kind still shows the watch" {
    phone add Milk > /dev/null
    start_phone
    open_screen 100 50
    type_line "TERM=never-heard-of '$TAPLINE' watch --sockets '$work/sockets' --flash '$work/watch.flash'"
    eventually screen_shows_pixels
    press_keys q
    eventually screen_shows_no_pixels
}

@test "terminal that closes ends the watch" {
    open_list 100 50
    local process
    process=$(watch_process)
    close_screen
    eventually has_ended "$process"
}
