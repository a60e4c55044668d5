import HostCalls
import Watch
import WatchLink

extension LabBoard: InputSource {
    @inline(never)
    func nextInput() -> TimedInput? {
        guard Host.fill(block, .nextInput) != 0, let input else { return nil }
        let time = UInt64(high: block[HostBlock.Input.timeHigh], low: block[HostBlock.Input.timeLow])
        return TimedInput(input, at: Instant(microseconds: time))
    }

    var touchScanInterval: Microseconds { Microseconds(UInt64(word: Host.call(.touchScanInterval))) }

    /// The input in the block; nil where it is none that the program knows.
    private var input: Input? {
        let first = block[HostBlock.Input.first]
        let second = Int16(truncatingIfNeeded: block[HostBlock.Input.second])
        switch HostBlock.InputKind(rawValue: block[HostBlock.Input.kind]) {
        case .touch: return .touch(x: Int16(truncatingIfNeeded: first), y: second)
        case .moved: return .moved(x: Int16(truncatingIfNeeded: first), y: second)
        case .lifted: return .lifted(x: Int16(truncatingIfNeeded: first), y: second)
        case .crown: return .crown(detents: Int8(truncatingIfNeeded: first))
        case .press: return button(first).map { .press($0) }
        case .hold: return button(first).map { .hold($0) }
        case .compareDigits: return .pairing(.compare(digits: first))
        case .pairingOver: return .pairing(.over)
        case .wrist: return WristEvent(rawValue: UInt8(truncatingIfNeeded: first)).map { .wrist($0) }
        case .clock: return ClockForm(rawValue: UInt8(truncatingIfNeeded: first)).map { .clock($0) }
        case nil: return nil
        }
    }

    private func button(_ number: UInt32) -> Button? { Button(rawValue: UInt8(truncatingIfNeeded: number)) }
}

extension LabBoard: HapticDriver {
    func play(_ pattern: HapticPattern) {
        Host.call(.play, UInt32(pattern.rawValue))
    }
}
