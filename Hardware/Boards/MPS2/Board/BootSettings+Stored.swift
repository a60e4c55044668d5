import MPS2Memory

extension BootSettings {
    /// The settings that the loader left.
    static var stored: BootSettings {
        BootSettings { Register(UInt(BootSettings.address) + 4 * UInt($0)).value }
    }
}
