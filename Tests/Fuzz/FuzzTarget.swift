/// A target of the fuzzer. The raw value is the name of its folder in Tests/Fuzz/Corpus.
package enum FuzzTarget: String, CaseIterable {
    case session
    case messages
    case cbor
    case serial
    case flash
    case journal
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
