/// PPI: 32 channels that trigger tasks on events. The last 12 are fixed.
///
/// Source: nRF52832 Product Specification v1.4, chapter 22 (PPI).
struct PPI: Peripheral {
    private static let programmable = 20
    private var enabled: UInt32 = 0
    private var groups: InlineArray<6, UInt32> = .init(repeating: 0)
    private(set) var forks: InlineArray<32, UInt32> = .init(repeating: 0)
    private(set) var sources: InlineArray<32, UInt32> = .init(repeating: 0)
    private(set) var tasks: InlineArray<32, UInt32> = .init(repeating: 0)
    /// Bit n is set if an enabled channel waits for an event of peripheral n.
    private var listened: UInt64 = 0
    var isInterrupting: Bool { false }

    init() {
        // The pre-programmed channels of TIMER0, RADIO, AAR, CCM and RTC0.
        let fixed: [(source: UInt32, task: UInt32)] = [
            (0x4000_8140, 0x4000_1000), (0x4000_8140, 0x4000_1004), (0x4000_8144, 0x4000_1010),
            (0x4000_1128, 0x4000_F000), (0x4000_1100, 0x4000_F000), (0x4000_1104, 0x4000_F004),
            (0x4000_1104, 0x4000_8044), (0x4000_110C, 0x4000_8048), (0x4000_B140, 0x4000_1000),
            (0x4000_B140, 0x4000_1004), (0x4000_B140, 0x4000_800C), (0x4000_B140, 0x4000_8000),
        ]
        for (index, channel) in fixed.enumerated() {
            sources[PPI.programmable + index] = channel.source
            tasks[PPI.programmable + index] = channel.task
        }
    }

    func channels(of event: UInt32) -> UInt32 {
        guard listened &>> UInt64(event &>> 12 & 0x3F) & 1 != 0 else { return 0 }
        var left = enabled
        var found: UInt32 = 0
        while left != 0 {
            let channel = left.trailingZeroBitCount
            if sources[channel] == event { found |= 1 &<< UInt32(channel) }
            left &= left &- 1
        }
        return found
    }

    private mutating func listen() {
        listened = 0
        for channel in 0..<32 where enabled &>> UInt32(channel) & 1 != 0 && sources[channel] != 0 {
            listened |= 1 &<< UInt64(sources[channel] &>> 12 & 0x3F)
        }
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        let channel = Int((offset &- 0x510) / 8)
        return switch offset {
        case 0x000..<0x030: 0
        case 0x500, 0x504, 0x508: enabled
        case 0x510..<0x5B0: offset & 4 == 0 ? sources[channel] : tasks[channel]
        case 0x800..<0x818: groups[Int((offset &- 0x800) / 4)]
        case 0x910..<0x990: forks[Int((offset &- 0x910) / 4)]
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        let channel = Int((offset &- 0x510) / 8)
        switch offset {
        // A task of a channel group enables or disables its channels.
        case 0x000..<0x030 where word & 1 != 0:
            let group = groups[Int(offset / 8)]
            enabled = offset & 4 == 0 ? enabled | group : enabled & ~group
        case 0x000..<0x030: break
        case 0x500: enabled = word
        case 0x504: enabled |= word
        case 0x508: enabled &= ~word
        case 0x510..<0x5B0: if offset & 4 == 0 { sources[channel] = word } else { tasks[channel] = word }
        case 0x800..<0x818: groups[Int((offset &- 0x800) / 4)] = word
        case 0x910..<0x990: forks[Int((offset &- 0x910) / 4)] = word
        case _: return false
        }
        listen()
        return true
    }
}
