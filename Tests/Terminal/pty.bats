#!/usr/bin/env bats
# What the watch writes to a terminal, byte by byte, when there is no tmux between.
load ../Support/command
load ../Support/phone

# Where it waits for "in sync", the last letters are left out: some may be there already, of "not in sync", and are not written
# again.
# Opens the watch on a terminal of the given columns and rows, and does what standard input says: see Tests/Support/pty.
on_terminal() {
    local columns=$1 rows=$2
    shift 2
    TERM=xterm-256color "$top/Tests/Support/pty" "$columns" "$rows" \
        "$TAPLINE" watch --sockets "$work/sockets" --flash "$work/watch.flash" "$@"
}

# A phone with a list of one.
serve_milk() {
    phone add Milk > /dev/null
    start_phone
}

@test "other screen and mouse are on and off again" {
    serve_milk
    on_terminal 120 50 << 'END'
expect \x1b[?1049h
expect in sy
send q
expect \x1b[?1049l
end 0
END
}

@test "paste is no key, and its marks are off again" {
    serve_milk
    on_terminal 120 50 << 'END'
expect \x1b[?2004h
expect in sy
send \x1b[200~1 l milk\nquark, 2
send 00 g\n\x1b[201~
expect ignored
send q
expect \x1b[?2004l
end 0
END
    expect_equal "" "$(checked_titles)" "what is checked off"
}

@test "signal leaves the other screen" {
    serve_milk
    on_terminal 120 50 << 'END'
expect \x1b[?1049h
expect in sy
signal TERM
expect \x1b[?1049l
end 143
END
}

@test "crash leaves the other screen" {
    serve_milk
    SWIFT_BACKTRACE=enable=no on_terminal 120 50 << 'END'
expect \x1b[?1049h
expect in sy
signal SEGV
expect \x1b[?1049l
end 139
END
}

@test "terminal that hangs up ends the watch" {
    serve_milk
    on_terminal 120 50 << 'END'
expect \x1b[?1049h
expect in sy
hangup
end 129
END
}

@test "ten by five and smaller sizes are survived" {
    serve_milk
    on_terminal 10 5 << 'END'
expect \x1b[?1049h
expect Milk
resize 1 1
resize 3 2
resize 500 200
expect in sy
resize 10 5
send q
expect \x1b[?1049l
end 0
END
}

@test "keys that mean nothing do nothing" {
    serve_milk
    on_terminal 120 50 << 'END'
expect in sy
send \x1b[99~\x00\xff\xfe\x1b[<0;999;999M\x1b[<64;1;1M\x1b[200~text\x1b[201~
send q
expect \x1b[?1049l
end 0
END
}

# The type of a terminal that is known to the database, and not to the library that draws.
@test "mouse is asked for on a terminal of another kind" {
    serve_milk
    TERM=rxvt "$top/Tests/Support/pty" 120 50 \
        "$TAPLINE" watch --sockets "$work/sockets" --flash "$work/watch.flash" << 'END'
expect \x1b[?1002h\x1b[?1006h
expect in sy
send q
expect \x1b[?1002l\x1b[?1006l
end 0
END
}

@test "terminal without colours has none" {
    serve_milk
    NO_COLOR=1 on_terminal 120 50 --view text << 'END'
expect in sy
send q
end 0
lack 97;40m
lack \x1b[32m
lack \x1b[33m
lack \x1b[90
END
}

@test "terminal with sixels gets the panels pixels" {
    serve_milk
    on_terminal 80 24 << 'END'
expect \x1b[c
send \x1b[6;20;10t\x1b[?62;4c
expect \x1bP0;1;0q"1;1;288;336
send v
expect Milk
send q
expect \x1b[?1049l
end 0
END
}

@test "terminal with kittys pictures gets the panels pixels" {
    serve_milk
    on_terminal 80 24 << 'END'
expect \x1b[c
send \x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62c
expect \x1b_Ga=T,f=100,i=7001,C=1,q=2,m=0;iVBOR
send q
expect \x1b_Ga=d,d=I,i=7001
expect \x1b[?1049l
end 0
END
}

@test "keys typed before the terminal answers count" {
    serve_milk
    on_terminal 80 24 << 'END'
expect \x1b[c
send q\x1b[?62c
expect \x1b[?1049l
end 0
END
}

@test "plain text on a terminal has no escape sequence" {
    serve_milk
    on_terminal 120 50 --plain << 'END'
expect 1 left
expect 1 [ ] Milk
send quit\r
end 0
lack \x1b
END
}
