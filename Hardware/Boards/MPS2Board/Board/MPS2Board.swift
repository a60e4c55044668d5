import BoardSupport
import CCortexM
import MPS2Memory
import Watch
import WatchLink

/// The watch on QEMU's mps2-an386: a Cortex-M4 whose display, touch, buttons, haptic driver and radio are at the far end of
/// serial ports, because the machine has none.
///
/// One extension for each part of `Board`, in a file of its own.
struct MPS2Board: Board, ~Copyable {
    let settings: BootSettings
    var clock = TickClock()
    var flash = FlashMemory()
    var panel: PanelPort
    var bench: BenchPort
    var radio: RadioModem
    var pacing: Pacing
    var wallClock: WallClock

    /// The board with the memory that its drivers need taken from `arena`.
    init(arena: inout MemoryArena) {
        settings = BootSettings.stored
        panel = PanelPort(arena: &arena)
        bench = BenchPort(arena: &arena)
        radio = RadioModem(arena: &arena)
        pacing = settings.pacing == .free ? .free(.due) : .stepping
        wallClock = .unset
        if let calendar = settings.calendar { wallClock = .set(calendar, at: .start) }
        UART.panel.enableSending()
        UART.radio.enable()
        UART.bench.enable()
        Interrupts.enable(.alarm)
        Interrupts.enable(.radioReceived)
        Interrupts.enable(.benchReceived)
        Timer.clock.start()
    }
}

/// How time passes on the board.
enum Pacing {
    /// Whether the bench was told that the runtime is idle since it last worked.
    enum Report {
        case due
        case reported
    }

    /// By itself.
    case free(Report)
    /// It is the bench's, and it passes just now because the runtime works.
    case stepping
    /// It is the bench's, and it stands.
    case held
}

/// The wall clock.
enum WallClock {
    case unset
    /// It showed this time at this instant.
    case set(LocalTime, at: Instant)
}

extension BootSettings {
    static var stored: BootSettings {
        BootSettings { Register(UInt(BootSettings.address) + 4 * UInt($0)).value }
    }
}
