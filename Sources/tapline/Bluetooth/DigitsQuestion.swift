import BluetoothBridge

extension PairingRequest {
    /// The question whether the other side shows the same digits.
    func question(about other: String) -> String {
        "Does the \(other) show \(digits.prefix(3)) \(digits.suffix(3))? [y/n] "
    }
}

extension PairingDecision {
    /// What a line means that a person has typed; nil for none. Any answer but yes is no.
    init(answer: String?) {
        switch answer?.lowercased() {
        case "y", "yes": self = .accept
        case _: self = .reject
        }
    }
}
