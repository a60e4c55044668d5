import WatchLink

/// The costs of operations on a device: the time that the model charges, and the charge from the battery.
public struct DeviceProfile: Sendable, Equatable {
    /// The short name for the command line, such as "memory-lcd".
    public var name: String
    /// A description in a few words.
    public var title: String
    package var processor: Processor
    package var panel: PanelCost
    package var flash: FlashCost
    package var haptic: HapticCost
    package var touch: TouchCost
    package var radio: RadioCost
    package var phone: PhoneCost
    package var energy: EnergyCost
    /// A sentence for each number without a source.
    package var assumptions: [String] = []

    /// The built-in profiles.
    public static let builtIn: [DeviceProfile] = [.memoryLCD, .colourSPI, .instant]

    /// Nil if no built-in profile has this name.
    public static func named(_ name: String) -> DeviceProfile? {
        builtIn.first { $0.name == name }
    }
}
