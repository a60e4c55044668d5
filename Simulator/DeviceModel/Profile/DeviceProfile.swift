import WatchLink

/// What everything costs on a device: the time that the model charges for it, and the charge from the battery.
public struct DeviceProfile: Sendable, Equatable {
    /// The short name by which it is chosen, such as "memory-lcd".
    public var name: String
    /// What it is, in a few words.
    public var title: String
    /// The processor.
    public var processor: Processor
    /// The panel.
    public var panel: PanelCost
    /// The flash chip.
    public var flash: FlashCost
    /// The haptic driver.
    public var haptic: HapticCost
    /// The touch controller.
    public var touch: TouchCost
    /// The radio.
    public var radio: RadioCost
    /// The database of the phone at the other end.
    public var phone: PhoneCost
    /// What it all takes from the battery.
    public var energy: EnergyCost

    /// A profile of these parts.
    public init(
        name: String, title: String, processor: Processor, panel: PanelCost, flash: FlashCost, haptic: HapticCost,
        touch: TouchCost, radio: RadioCost, phone: PhoneCost, energy: EnergyCost
    ) {
        self.name = name
        self.title = title
        self.processor = processor
        self.panel = panel
        self.flash = flash
        self.haptic = haptic
        self.touch = touch
        self.radio = radio
        self.phone = phone
        self.energy = energy
    }

    /// The built-in profiles.
    public static let builtIn: [DeviceProfile] = [.memoryLCD, .colourSPI, .instant]

    /// The built-in profile called `name`, or nil.
    public static func named(_ name: String) -> DeviceProfile? {
        builtIn.first { $0.name == name }
    }
}
