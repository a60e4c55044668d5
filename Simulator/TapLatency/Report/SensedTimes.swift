/// What the wearer's finger and eye add to the marks of a tap, which count from the touch interrupt to the panel's memory. Most of
/// it is the parts of the device and the same whatever the software does.
public struct SensedTimes: Sendable, Codable, Equatable {
    /// From the finger on the panel to the touch interrupt.
    public var interrupt: Distribution?
    /// From the finger until the pixels of the struck row have turned; nil where no tap updated the panel.
    public var light: Distribution?
    /// From the finger until the haptic is strong enough to be felt; nil where none was played.
    public var felt: Distribution?

    /// The times with what each is called.
    package var titled: [(title: String, times: Distribution?)] {
        [("finger to interrupt", interrupt), ("touch to light", light), ("touch to felt", felt)]
    }
}
