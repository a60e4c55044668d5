/// The charge that each part of the watch takes from the battery, in microcoulombs.
package struct PartCharge: Equatable, Sendable {
    package enum Part: String, CaseIterable, Sendable {
        case awake, asleep
        case spi = "SPI"
        case panel, backlight, motor, radio
        /// The board's standby current, which flows all the time.
        case board
    }

    private var amounts: [Part: Double] = [:]

    package private(set) subscript(part: Part) -> Double {
        get { amounts[part, default: 0] }
        set { amounts[part] = newValue }
    }

    package var total: Double { Part.allCases.reduce(0) { $0 + self[$1] } }
}

/// The currents of the parts, in microamperes at 3 V with the DC/DC converter.
///
/// Sources: nRF52832 Product Specification v1.1, "Power and clock management". The core typically takes 58 uA/MHz when it runs
/// from flash, and 1.9 uA when it sleeps in System ON with an RTC. The radio's current is I_RADIO_RX0, for receiving. It is
/// used for sending too, although I_RADIO_TX0 is 7,100. PINE64's page about the PineTime gives the board's current, measured
/// with all parts asleep. The strongest backlight line and the panel emptied the cell of 180 mAh in almost 7 hours (PINE64's
/// forum, "Battery discharge curve"). How that current divides between the backlight line and the panel is assumed. The
/// currents of the two weaker backlight lines, SPI and the motor are assumed too.
enum Current {
    static let awake = 3_700.0
    static let asleep = 1.9
    static let spi = 50.0
    static let radio = 6_500.0
    static let panel = 6_000.0
    static let backlight = [500.0, 6_000.0, 19_000.0]
    static let motor = 60_000.0
    static let board = 60.0
}

extension PartCharge {
    /// Adds up the charge that each part took from `before` to `after`, two states of one machine. The list `work` says when
    /// the machine's buses and radio were active.
    init(from before: Machine, to after: Machine, _ work: [BusWork]) {
        func charge(_ microamperes: Double, _ cycles: UInt64) -> Double {
            microamperes * Double(cycles) / Double(Machine.cyclesPerSecond)
        }
        func busy(_ kind: BusWork.Kind) -> UInt64 {
            work.filter { $0.kind == kind }.reduce(0) { $0 + UInt64($1.span.clamped(to: before.now..<after.now).count) }
        }
        let (all, asleep) = (after.now - before.now, after.asleep - before.asleep)
        self[.awake] = charge(Current.awake, all - asleep)
        self[.asleep] = charge(Current.asleep, asleep)
        self[.spi] = charge(Current.spi, busy(.spi))
        self[.radio] = charge(Current.radio, busy(.radio))
        self[.board] = charge(Current.board, all)
        let (old, new) = (before.board, after.board)
        self[.motor] = charge(
            Current.motor, new.motor.load.cyclesOn(at: after.now) - old.motor.load.cyclesOn(at: before.now))
        // The panel hardly ever falls asleep during a measurement, so its last state counts for the whole time.
        if new.model.isPanelAwake { self[.panel] = charge(Current.panel, all) }
        for (line, current) in Current.backlight.enumerated() {
            let cycles =
                new.model.backlightCycles(line, at: after.now) - old.model.backlightCycles(line, at: before.now)
            self[.backlight] += charge(current, cycles)
        }
    }
}
