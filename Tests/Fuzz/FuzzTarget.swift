/// What is fuzzed. The raw value is the name of its folder in Tests/Fuzz/Corpus.
package enum FuzzTarget: String, CaseIterable {
    /// A whole link: both sessions and what is injected.
    case session
    case messages
    case cbor
    case serial
    /// A watch that starts from whatever is in its flash.
    case flash
    /// Records with valid checks and any contents.
    case journal
    /// Device profiles in JSON5.
    case profile
    case script
    case bus
    case list

    package func run(_ input: FuzzInput) {
        switch self {
        case .session: fuzzSession(input)
        case .messages: fuzzMessages(input)
        case .cbor: fuzzCBOR(input)
        case .serial: fuzzSerial(input)
        case .flash: fuzzFlash(input)
        case .journal: fuzzJournal(input)
        case .profile: fuzzProfile(input)
        case .script: fuzzScript(input)
        case .bus: fuzzBus(input)
        case .list: fuzzList(input)
        }
    }
}
