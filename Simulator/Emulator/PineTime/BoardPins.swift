/// The pins of both boards. The number n stands for P0.n, except in `batteryInput`.
///
/// Sources: the PineTime's schematics and its page in PINE64's documentation ("Hardware"). The reference board is Tapline's
/// own design: the PineTime's wiring with another panel and other controls. The reference board leaves P0.18, P0.23 and P0.24
/// free, for example for a serial line. On the PineTime, P0.24 switches the 3.3 V supply. No firmware was seen to use that pin,
/// and it is not modelled.
package enum BoardPin {
    // MARK: Both boards

    /// The SPI bus. The model ignores the levels of these pins.
    static let serialClock = 2, dataOut = 3, dataIn = 4
    /// Low selects the flash chip.
    static let flashSelect = 5
    /// The I2C bus.
    static let data = 6, clock = 7
    static let accelerometerInterrupt = 8
    /// Low resets the touch controller.
    static let touchReset = 10
    /// Low while the battery is charging.
    static let charging = 12
    /// Low runs the motor.
    static let motor = 16
    /// Low while external power is present.
    static let power = 19
    /// The touch controller pulls this pin low for a short pulse at each report.
    package static let touchInterrupt = 28
    /// The number of the analog input with half of the battery's voltage: AIN7, on P0.31.
    static let batteryInput = 7

    // MARK: PineTime

    /// While the button is pressed, this pin has the level of `buttonSupply`.
    static let button = 13
    static let buttonSupply = 15
    /// The three lines of the backlight, which add 1, 2 and 4 to its level. A low line gives light.
    static let backlight = [14, 22, 23]
    /// Low for a command, high for data.
    static let panelData = 18
    /// Low selects the panel.
    static let panelSelect = 25
    /// Low resets the panel.
    static let panelReset = 26

    // MARK: Reference board

    /// Each pin is low while its button is pressed.
    static let sideButton = 13, crownPress = 15
    /// The crown's contacts, low while closed.
    static let crownA = 14, crownB = 22
    /// High selects the panel.
    static let memoryPanelSelect = 25
    /// DISP: high shows the panel's memory.
    static let memoryPanelShows = 26
}

/// The levels of the pins that the nRF52832 drives.
struct PinOutputs: Equatable, Sendable {
    var levels: UInt32 = 0
    var outputs: UInt32 = 0

    /// The level of a pin; nil if the nRF52832 does not drive it.
    func level(_ pin: Int) -> Bool? {
        outputs &>> UInt32(pin) & 1 == 0 ? nil : levels &>> UInt32(pin) & 1 != 0
    }

    /// Whether the pin is low. If the nRF52832 does not drive the pin, a resistor on the board pulls it up.
    func isLow(_ pin: Int) -> Bool { level(pin) == false }
    /// Whether the pin is high. If the nRF52832 does not drive the pin, a resistor on the board pulls it down.
    func isHigh(_ pin: Int) -> Bool { level(pin) == true }
}

extension PinLevels {
    mutating func drive(_ pin: Int, high: Bool) {
        driven |= 1 &<< UInt32(pin)
        if high { levels |= 1 &<< UInt32(pin) }
    }
}
