#!/usr/bin/env bats
# The prompt for a password on a terminal.
load ../Support/command
load ../Support/screen

# Runs `account add` from a shell on a terminal, and does what the standard input says. The shell tells its status, and
# whether the terminal shows what is typed. Argument: the address of the server.
on_terminal() {
    cat > shell << END
trap : INT QUIT
"$TAPLINE" phone account add ${1:-http://127.0.0.1:9/} --user ann --database "$work/phone.sqlite"
echo "status=\$?"
stty -a | grep -qE '(^|[ ;])echo([ ;]|$)' && echo "typing is shown"
END
    "$top/Tests/Support/pty" 80 24 bash shell
}

@test "a password is not shown and what is typed afterwards is" {
    on_terminal << 'END'
expect Password of ann at 127.0.0.1:
send secret\r
expect status=1
expect typing is shown
lack secret
end 0
END
}

@test "an interrupted prompt leaves a terminal that shows what is typed" {
    on_terminal << 'END'
expect Password of ann at 127.0.0.1:
send sec\x03
expect status=130
expect typing is shown
end 0
END
    on_terminal << 'END'
expect Password of ann at 127.0.0.1:
send \x1c
expect status=131
expect typing is shown
end 0
END
}

@test "an interrupt after the password ends the command" {
    start silent python3 -c 'import socket
s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True)
c = s.accept()[0]; print("asked", flush=True); c.recv(1 << 20); c.recv(1)'
    eventually test -s silent.out
    on_terminal "http://127.0.0.1:$(head -n 1 silent.out)/" << 'END'
expect Password of ann at 127.0.0.1:
send secret\r
await silent.out asked
send \x03
expect status=130
end 0
END
}

@test "a stopped prompt shows what is typed and is silent again when it goes on" {
    open_screen 80 24
    local settings
    settings=$(line_settings)
    type_line "'$TAPLINE' phone account add http://127.0.0.1:9/ --user ann --database '$work/phone.sqlite'; echo \"status=\$?\""
    eventually screen_shows "Password of ann"
    press_keys C-z
    eventually screen_shows Stopped
    eventually line_settings_are "$settings"
    type_line fg
    eventually prompts 2
    press_keys C-z
    eventually stops 2
    eventually line_settings_are "$settings"
    type_line fg
    eventually prompts 3
    type_line secret
    eventually screen_shows "cannot be reached"
    screen_lacks secret || complain "$(screen_text)"
    eventually line_settings_are "$settings"
}

# Whether the terminal shows the prompt $1 times.
prompts() {
    [[ $(screen_text | grep -c "^Password of ann") == "$1" ]]
}

# Whether the shell has said $1 times that the command has stopped.
stops() {
    [[ $(screen_text | grep -c Stopped) == "$1" ]]
}
