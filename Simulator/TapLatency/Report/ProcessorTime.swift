import DeviceModel

/// Where the processor's time of a measurement comes from.
public enum ProcessorTime: String, Sendable, Codable {
    /// The machine code of the handler was executed.
    case executed
    /// A table says what each stage executes, and the profile how many cycles an instruction takes.
    case counted
    /// The handler is not composed of stages: nobody knows what it executes, and every time lacks it.
    case unknown = "not known"

    /// What a report says of it, in a few words.
    package var words: String {
        switch self {
        case .executed: "the processor's time by execution of the machine code"
        case .counted:
            "the processor's time as it was counted on \(CountTable.countedOn), not executed: Hardware/build --lab makes the image that is "
                + "executed"
        case .unknown: "the processor's time is not known: compose the handler with TapHandlerBuilder"
        }
    }
}
