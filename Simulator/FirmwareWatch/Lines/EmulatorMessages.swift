/// What the emulator itself prints, without the one line that is so on every start.
struct EmulatorMessages {
    /// The board's network controller is connected to nothing, on purpose.
    private static let expected = Array("qemu-system-arm: warning: nic lan9118.0 has no peer\n".utf8)

    private enum Progress {
        /// That many bytes of the expected line have come, and nothing else.
        case matching(Int)
        /// It has come, or something else has.
        case passing
    }

    private var progress = Progress.matching(0)

    /// What is left of `bytes`, which were printed next.
    mutating func hear(_ bytes: [UInt8]) -> [UInt8] {
        guard case .matching(let before) = progress else { return bytes }
        let rest = EmulatorMessages.expected.dropFirst(before)
        if bytes.starts(with: rest) {
            progress = .passing
            return Array(bytes.dropFirst(rest.count))
        }
        if rest.starts(with: bytes) {
            progress = .matching(before + bytes.count)
            return []
        }
        progress = .passing
        return EmulatorMessages.expected.prefix(before) + bytes
    }
}
