import WatchLink

/// The time and the battery charge that each operation costs on a device.
public struct DeviceProfile: Sendable, Equatable {
    /// The profile's name on the command line, such as "memory-lcd".
    public var name: String
    /// A short description of the device.
    public var title: String
    package var processor: Processor
    package var panel: PanelCost
    package var flash: FlashCost
    package var haptic: HapticCost
    package var touch: TouchCost
    package var radio: RadioCost
    package var phone: PhoneCost
    package var energy: EnergyCost
    /// One sentence for each number that no document gives.
    package var assumptions: [String] = []

    /// The built-in profiles.
    public static let builtIn: [DeviceProfile] = [.memoryLCD, .colourSPI, .instant]

    /// Whether the processor, panel, flash chip and touch controller equal those of `memory-lcd`, the profile of the Reference
    /// board. The lab can execute machine code only for that board.
    package var isOfReferenceBoard: Bool {
        let own = DeviceProfile.memoryLCD
        return processor == own.processor && panel == own.panel && flash == own.flash && touch == own.touch
    }

    /// The built-in profile of this name. Nil if there is none.
    public static func named(_ name: String) -> DeviceProfile? {
        builtIn.first { $0.name == name }
    }
}
