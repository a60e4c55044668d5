import BoardSupport

/// A pin of port 0 (chapter 20).
struct Pin {
    private let number: UInt32

    private init(_ number: UInt32) {
        self.number = number
    }

    // Pins of both boards.
    static var spiClock: Pin { Pin(2) }
    static var spiOut: Pin { Pin(3) }
    static var spiIn: Pin { Pin(4) }
    /// A low level selects the flash chip.
    static var flashSelect: Pin { Pin(5) }
    static var twiData: Pin { Pin(6) }
    static var twiClock: Pin { Pin(7) }
    static var touchReset: Pin { Pin(10) }
    static var serialIn: Pin { Pin(11) }
    /// PineTime: high while pressed, if `buttonFeed` is high. Reference: low while pressed.
    static var sideButton: Pin { Pin(13) }
    /// The motor runs while the pin is low.
    static var motor: Pin { Pin(16) }
    static var serialOut: Pin { Pin(20) }
    /// PineTime: a low level selects the panel. Reference: a high level does.
    static var panelSelect: Pin { Pin(25) }
    static var touchInterrupt: Pin { Pin(28) }

    // Pins of the PineTime.
    /// The three lights of the panel's backlight, from the weakest to the strongest. A low level switches a light on.
    static var lowLight: Pin { Pin(14) }
    static var middleLight: Pin { Pin(22) }
    static var highLight: Pin { Pin(23) }
    static var buttonFeed: Pin { Pin(15) }
    /// Low for a command, high for data.
    static var panelData: Pin { Pin(18) }
    static var panelReset: Pin { Pin(26) }

    // Pins of the Reference. A contact is low while closed.
    static var crownA: Pin { Pin(14) }
    static var crownB: Pin { Pin(22) }
    static var crownPress: Pin { Pin(15) }
    /// The line to the panel's DISP input. The panel shows its picture while the pin is high.
    static var panelShows: Pin { Pin(26) }

    /// The value that selects this pin in a pin select register (PSEL) of a peripheral.
    var selection: UInt32 { number }

    enum Pull: UInt32 {
        case none = 0
        case down = 1
        case up = 3
    }

    var mask: UInt32 { 1 &<< number }

    private var configuration: Register { Part.pins[0x700 + 4 * UInt(number)] }

    func drive(_ isHigh: Bool) {
        set(isHigh)
        configuration.value = 3
    }

    func set(_ isHigh: Bool) {
        Part.pins[isHigh ? 0x508 : 0x50C].value = mask
    }

    var isHigh: Bool { Part.pins[0x510].value & mask != 0 }

    func listen(_ pull: Pull) {
        configuration.value = pull.rawValue &<< 2
    }

    /// Makes the pin open-drain, as a two-wire bus needs (chapter 33), and enables its pull-up.
    func share() {
        configuration.value = 6 &<< 8 | Pull.up.rawValue &<< 2
    }

    /// Makes the pin an input whose changes `PinChanges` handles.
    func watch(_ pull: Pull) {
        listen(pull)
        let (watched, levels) = (SharedMemory.word(.watchedPins), SharedMemory.word(.pinLevels))
        // A pin that does not listen reads as low.
        levels.value = isHigh ? levels.value | mask : levels.value & ~mask
        watched.value |= mask
        senseChange()
    }

    func senseChange() {
        let now = configuration.value & ~(3 &<< 16)
        configuration.value = now | (isHigh ? 3 : 2) &<< 16
    }
}

/// Handles changes of the buttons, the crown and the touch controller's interrupt line. Each of these pins senses the
/// opposite of its present level. When a level changes, GPIOTE raises the event PORT (section 21.2). PORT needs no clock, so it
/// also works while the processor sleeps.
package enum PinChanges {
    private static var portEvent: Register { Part.pinEvents[0x17C] }

    static func start() {
        portEvent.value = 0
        Part.pinEvents[0x304].value = 1 &<< 31
        Part.enable(.pinEvents)
    }

    /// Handles the changes of all watched pins until no change is left. A later change raises PORT again, so none is lost.
    package static func handle() {
        let (watched, levels) = (SharedMemory.word(.watchedPins).value, SharedMemory.word(.pinLevels))
        portEvent.value = 0
        var changed = (Part.pins[0x510].value ^ levels.value) & watched
        while changed != 0 {
            levels.value ^= changed
            let now = levels.value
            if changed & Pin.touchInterrupt.mask != 0 {
                Pin.touchInterrupt.senseChange()
                if now & Pin.touchInterrupt.mask == 0 { TouchController.read() }
            }
            if changed & Pin.sideButton.mask != 0 {
                Pin.sideButton.senseChange()
                Inputs.put(now & Pin.sideButton.mask != 0 ? .sideHigh : .sideLow)
            }
            if changed & Pin.crownPress.mask != 0 {
                Pin.crownPress.senseChange()
                Inputs.put(now & Pin.crownPress.mask != 0 ? .crownHigh : .crownLow)
            }
            if changed & (Pin.crownA.mask | Pin.crownB.mask) != 0 {
                Pin.crownA.senseChange()
                Pin.crownB.senseChange()
                turnCrown(from: now ^ changed, to: now)
            }
            changed = (Part.pins[0x510].value ^ levels.value) & watched
        }
    }

    /// Counts how far the crown turns, in quarters of a detent. When the crown is at rest again, queues an input if it has
    /// turned by a detent. The parameters `before` and `now` have the levels of the watched pins.
    ///
    /// At rest, contacts A and B are open (high). They change a quarter of a detent apart. Contact A closes first if the wearer
    /// turns towards later rows. Contact B closes first if the wearer turns towards earlier rows.
    private static func turnCrown(from before: UInt32, to now: UInt32) {
        let quarters = SharedMemory.word(.crownQuarters)
        let (old, new) = (place(before), place(now))
        switch (new &- old) & 3 {
        case 1: quarters.value = quarters.value &+ 1
        case 3: quarters.value = quarters.value &- 1
        // An unchanged state, or two contacts at once, shows no direction.
        case _: break
        }
        guard new == 0 else { return }
        let turned = Int32(truncatingIfNeeded: quarters.value)
        quarters.value = 0
        // A bounce returns to rest with fewer than two quarters.
        if turned >= 2 { Inputs.put(.crownLater) }
        if turned <= -2 { Inputs.put(.crownEarlier) }
    }

    /// Returns the crown's position within a detent, in quarters: 0 if both contacts are open (rest), 1 if only A is closed,
    /// 2 if both are closed, 3 if only B is closed.
    private static func place(_ levels: UInt32) -> UInt32 {
        switch (levels & Pin.crownA.mask != 0, levels & Pin.crownB.mask != 0) {
        case (true, true): 0
        case (false, true): 1
        case (false, false): 2
        case (true, false): 3
        }
    }
}
