#!/usr/bin/env bats
# A firmware on a terminal, byte by byte: its picture, the finger, the button and the end.
load ../Support/command

# Opens the small firmware on a terminal, and does what standard input says: see Tests/Support/pty.
on_terminal() { # COLORTERM option...
    local colours=$1
    shift
    local programs="$top/Tests/EmulatorTests/Programs"
    clang --target=armv7em-none-none-eabi -mcpu=cortex-m4 -mfloat-abi=soft -O1 -ffreestanding -nostdlib -fuse-ld=lld \
        "-Wl,-T,$programs/memory.ld" -o touch.elf "$programs/touch.c"
    TERM=xterm-256color COLORTERM=$colours "$top/Tests/Support/pty" 80 40 "$TAPLINE" watch --firmware touch.elf "$@"
}

@test "half blocks in 24-bit colours; a click is a finger" {
    on_terminal truecolor << 'END'
expect \x1b[?1049h
send \x1b[?62c
expect console: ready
expect 48;2;
send \x1b[<0;40;10M
expect motor
send \x1b[<0;40;10m
send q
expect \x1b[?1049l
end 0
END
}

@test "256 colours without 24-bit ones" {
    on_terminal "" << 'END'
expect \x1b[?1049h
send \x1b[?62c
expect console: ready
lack 48;2;
send q
end 0
END
}

@test "kitty's pictures, and sixels" {
    on_terminal truecolor << 'END'
expect \x1b[c
send \x1b_Gi=31;OK\x1b\\\x1b[6;16;8t\x1b[?62c
expect \x1b_Ga=T,f=100,i=7000
send q
expect \x1b_Ga=d,d=I,i=7000
end 0
END
    on_terminal truecolor << 'END'
expect \x1b[c
send \x1b[6;16;8t\x1b[?62;4c
expect \x1bP0;
send q
end 0
END
}

@test "a fault stays on the screen, and its end has status 1" {
    on_terminal truecolor << 'END'
expect \x1b[c
send \x1b[?62c
expect console: ready
send \x1b[<0;2;1M
send \x1b[<0;2;1m
expect HardFault
send q
end 1
END
}

@test "the console is below the panel" {
    on_terminal truecolor --console << 'END'
expect \x1b[c
send \x1b[?62c
expect ready
send \x1b[<0;40;10M
expect touched
send \x1b[<0;40;10m
send q
end 0
END
}

@test "a watch that waits for a debugger can be quit" {
    on_terminal truecolor --gdb 0 << 'END'
expect \x1b[c
send \x1b[?62c
expect target remote localhost:
send q
end 0
END
    echo 'wait 1s' > debugged.script
    "$top/Tests/Support/pty" 80 40 "$TAPLINE" watch --firmware touch.elf --headless --script debugged.script --gdb 0 << 'END'
expect target remote
send \x03
end 130
END
}
