import Watch
import WatchLink

package struct Processor: Sendable, Equatable, Codable {
    /// Cycles a second, 10,000 to 1,000,000,000; nil for a processor that takes no time.
    package var clockHertz: Int?
    /// Cycles of an average instruction, 0 to 100, for instructions that were stated, not executed. The cycles in a table are of
    /// another processor, and are scaled by the ratio of the two averages.
    package var cyclesPerInstruction: Double
    /// Wait cycles for a line of instructions that is not in the cache, and for data in flash: 0 to 15.
    package var flashWaitStates = 0
    /// Bytes of the cache of instructions, a power of two from 32 to 65,536; nil for none.
    package var cacheBytes: Int?
    /// Bytes of one of its lines, a power of two from 4 to 256, at most half of the cache.
    package var cacheLineBytes = 16

    /// The cycles of a count from the processor of `memory-lcd`, rounded.
    package func cycles(of count: CodeCount) -> Int {
        let counted = DeviceProfile.memoryLCD.processor.cyclesPerInstruction
        if cyclesPerInstruction == counted { return count.cycles }
        return Int((Double(count.cycles) * cyclesPerInstruction / counted).rounded())
    }

    /// Rounded down to whole microseconds. A charge is a difference of two sums over everything executed, so no remainder is
    /// lost.
    package func time(cycles: Int) -> Microseconds {
        guard let clockHertz else { return .zero }
        return Microseconds(UInt64(cycles) * 1_000_000 / UInt64(clockHertz))
    }

    /// The number of instructions may be a mean.
    package func microseconds(instructions: Double) -> Double {
        guard let clockHertz else { return 0 }
        return instructions * cyclesPerInstruction * 1_000_000 / Double(clockHertz)
    }
}

package struct HapticCost: Sendable, Equatable {
    /// The processor waits while it sends the pattern and the start order over the bus.
    package var busWrite: Microseconds
    /// From the order to the first movement. The processor does not wait.
    package var start: Microseconds
    /// From the first movement until the wearer feels it.
    package var rise = Microseconds.zero
}

/// The costs of the phone's database. A message is acknowledged after its transaction.
package struct PhoneCost: Sendable, Equatable {
    /// The phone's system suspends an idle app.
    package struct Suspension: Sendable, Equatable {
        /// The time without a message before the suspension.
        package var after: Microseconds
        /// From the next message until the app runs and begins its transaction.
        package var wakeUp: Microseconds
    }

    /// Of a thousand rows, because one row takes less than a microsecond can express.
    package var readThousandRows: Microseconds
    /// Committing a transaction to the phone's storage, even for a small change.
    package var commit: Microseconds
    /// Nil for an app that always runs. A suspended app still answers pings.
    package var suspension: Suspension?

    /// The wait of a message that comes after `idle` without one.
    package func wakeUp(after idle: Microseconds) -> Microseconds {
        guard let suspension, idle >= suspension.after else { return .zero }
        return suspension.wakeUp
    }

    /// The time of a transaction that reads this number of rows and makes a change.
    package func transaction(rows: Int) -> Microseconds {
        Microseconds(readThousandRows.count * UInt64(rows) / 1_000) + commit
    }
}

/// The time to send lines to the panel, and until they can be seen.
package struct PanelCost: Sendable, Equatable {
    package enum Bus: String, Sendable, CaseIterable {
        case own
        /// The flash chip's bus: each waits for the other.
        case sharedWithFlash = "shared with flash"
    }

    /// The DMA engine's limit, for a line that is longer.
    package struct Transfers: Sendable, Equatable {
        package var mostBytes: Int
        /// From the end of one transfer to the start of the next, in an interrupt.
        package var pause: Microseconds
    }

    /// 1,000 to 1,000,000,000; nil for a bus that takes no time.
    package var busHertz: Int?
    /// Pixels and overhead of a line.
    package var bitsPerLine: Int
    /// Sent once for each run of lines: mode or window before, trailer after.
    package var bitsPerFlush: Int
    /// Nil if a line is one transfer.
    package var transfers: Transfers?
    package var bus = Bus.own
    /// The time between two scans of the panel's memory; zero for a panel that shows a line as it is written.
    package var scanOut = Microseconds.zero
    /// The time in which pixels turn.
    package var light = Microseconds.zero

    /// In whole microseconds, rounded down.
    package func time(bits: Int) -> Microseconds {
        guard let busHertz else { return .zero }
        return Microseconds(UInt64(bits) * 1_000_000 / UInt64(busHertz))
    }

    /// The time of a run of lines alone, the lower bound for this panel.
    package func time(lines: Int) -> Microseconds {
        lines == 0 ? .zero : time(bits: bitsPerFlush + lines * bitsPerLine) + pauses(lines: lines)
    }

    /// When an eye sees the contents of the panel's memory at `instant`: after the next scan, once the pixels have turned. Scans
    /// count from the board's start.
    package func seen(after instant: Instant) -> Instant {
        guard scanOut > .zero else { return instant + light }
        let scans = (instant.microseconds + scanOut.count - 1) / scanOut.count
        return Instant(microseconds: scans * scanOut.count) + light
    }

    private func pauses(lines: Int) -> Microseconds {
        guard let transfers else { return .zero }
        let bytes = (bitsPerLine + 7) / 8
        let more = max(0, (bytes - 1) / transfers.mostBytes)
        return Microseconds(UInt64(more * lines) * transfers.pause.count)
    }
}

package struct FlashCost: Sendable, Equatable {
    /// A time with two values in the datasheet.
    package struct Length: Sendable, Equatable {
        package var typical: Microseconds
        /// For a chip at the end of its life, cold, at the lowest supply.
        package var maximum: Microseconds

        static let zero = Length(typical: .zero, maximum: .zero)
    }

    /// Programming time after the last bit of the order: the first byte and each later one, at most a page's time.
    package struct Program: Sendable, Equatable {
        package var firstByte: Length
        package var nextByteNanoseconds: (typical: Int, maximum: Int)
        package var page: Length

        package static func == (left: Program, right: Program) -> Bool {
            left.firstByte == right.firstByte && left.nextByteNanoseconds == right.nextByteNanoseconds
                && left.page == right.page
        }
    }

    package struct EraseSuspend: Sendable, Equatable {
        /// From the order until another sector can be read or programmed.
        package var latency: Microseconds
        /// The shortest time from one resumption to the next suspension.
        package var betweenSuspends: Microseconds
    }

    /// Nil for a bus that takes no time.
    package var busHertz: Int?
    package var program: Program
    package var sectorErase: Length
    package var eraseSuspend: EraseSuspend

    /// A command and an address of three bytes.
    private static let orderBytes = 4

    /// The time of an order and `bytes` on the bus, in whole microseconds, rounded up.
    package func transfer(bytes: Int) -> Microseconds {
        guard let busHertz else { return .zero }
        let bits = UInt64(FlashCost.orderBytes + bytes) * 8
        return Microseconds((bits * 1_000_000 + UInt64(busHertz) - 1) / UInt64(busHertz))
    }
}

extension FlashCost.Program {
    /// The time to program `bytes` within one page, in whole microseconds, rounded up.
    package func time(bytes: Int, at pace: FlashPace) -> Microseconds {
        let nanoseconds =
            switch pace {
            case .typical: nextByteNanoseconds.typical
            case .maximum: nextByteNanoseconds.maximum
            }
        let more = Microseconds(UInt64((max(0, bytes - 1) * nanoseconds + 999) / 1_000))
        return min(firstByte.at(pace) + more, page.at(pace))
    }
}

extension FlashCost.Length {
    package func at(_ pace: FlashPace) -> Microseconds {
        switch pace {
        case .typical: typical
        case .maximum: maximum
        }
    }
}

package struct TouchCost: Sendable, Equatable {
    /// The low power state of an idle controller.
    package struct Rest: Sendable, Equatable {
        /// The time without a finger before the rest.
        package var after: Microseconds
        /// The scan interval during the rest; more than zero.
        package var scanInterval: Microseconds
    }

    /// The scan interval while it is used. The controller sees a finger, and fires the interrupt, at the next scan.
    package var scanInterval: Microseconds
    /// Nil for a controller that never rests.
    package var rest: Rest?

    /// The longest wait of any finger for its interrupt.
    package var longestWait: Microseconds { max(scanInterval, rest?.scanInterval ?? .zero) }

    /// The longest possible wait of the finger whose interrupt fired at `interrupt`.
    ///
    /// - Parameter last: the last scan that saw a finger, or the first scan.
    package func wait(before interrupt: Instant, lastScan last: Instant) -> Microseconds {
        guard let rest, interrupt > asleep(after: last, rest) else { return scanInterval }
        return rest.scanInterval
    }

    /// The last scan before the controller rests.
    private func asleep(after last: Instant, _ rest: Rest) -> Instant {
        TouchCost.scan(from: last + rest.after, every: scanInterval, countedFrom: last)
    }

    /// When the interrupt fires for a finger that came down at `instant`.
    ///
    /// - Parameter last: the last scan that saw a finger, or the first scan. Scans count from there. Scans at rest count from the
    ///   last scan before the rest.
    package func interrupt(after instant: Instant, lastScan last: Instant) -> Instant {
        let next = TouchCost.scan(from: instant, every: scanInterval, countedFrom: last)
        guard let rest else { return next }
        let asleep = asleep(after: last, rest)
        guard instant > asleep else { return next }
        return TouchCost.scan(from: instant, every: rest.scanInterval, countedFrom: asleep)
    }

    /// The interrupt for a move or a lift at `instant`. A controller that sees a finger does not rest.
    ///
    /// - Parameter last: the last scan that saw the finger.
    func interrupt(ofPressedFingerAt instant: Instant, lastScan last: Instant) -> Instant {
        TouchCost.scan(from: instant, every: scanInterval, countedFrom: last)
    }

    /// The first scan of a board that starts at `instant`. Its clock may have run before.
    package func firstScan(from instant: Instant) -> Instant {
        TouchCost.scan(from: instant, every: scanInterval, countedFrom: .start)
    }

    /// Without an interval there is a scan at every instant.
    private static func scan(
        from instant: Instant, every interval: Microseconds, countedFrom origin: Instant
    ) -> Instant {
        guard interval > .zero else { return instant }
        guard instant > origin else { return origin }
        let passed = (instant - origin).count
        let scans = passed / interval.count + (passed % interval.count == 0 ? 0 : 1)
        return origin + Microseconds(scans * interval.count)
    }
}

/// The costs of a Bluetooth LE connection, which carries bytes in connection events at an interval. The watch may sleep through
/// some of them while it has nothing to send (Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.1).
package struct RadioCost: Sendable, Equatable {
    /// The parameters of a connection without recent activity.
    package struct Rest: Sendable, Equatable {
        /// The quiet time before the watch asks for these parameters.
        package var after: Microseconds
        package var interval: Microseconds
        /// Events in a row that the watch may sleep through.
        package var latency: Int
    }

    /// The time between two events while the watch is used: 7.5 ms to 4 s; zero for a link that takes no time.
    package var interval: Microseconds
    /// Events in a row that the watch may sleep through while it is used, 0 to 499.
    package var latency: Int
    /// The most bytes of one packet's payload, 27 to 251. A packet begins or continues one L2CAP PDU, so it holds one L2CAP frame
    /// at most (Core Specification, volume 6, part B, section 2.4).
    package var packetBytes: Int
    /// The most packets of one event in each direction, if their time in the air leaves room.
    package var packetsPerEvent: Int
    /// Megabits a second in the air: 1 or 2.
    package var megabits = 1
    /// L2CAP frames that an end may send before the other end allows more.
    package var credits: Int
    /// The connection is lost after this time without a successful event.
    package var supervisionTimeout: Microseconds
    /// Nil for a connection that never changes its parameters.
    package var rest: Rest?

    /// The events in `length` in which a watch at rest listens.
    package func idleEvents(in length: Microseconds) -> Int {
        let (interval, latency) = rest.map { ($0.interval, $0.latency) } ?? (interval, latency)
        guard interval.count > 0 else { return 0 }
        return Int(length.count / (interval.count * UInt64(latency + 1)))
    }

    /// Length and channel before the payload of an L2CAP frame, two bytes each (Core Specification 5.4, volume 3, part A, section
    /// 3.4.1).
    package static let frameHeader = 4
    /// The length of an SDU, in its first frame (same section).
    package static let sduLength = 2
    /// A packet that returns credits: a header, and a flow control credit indication of 8 bytes (same part, section 4.24).
    package static let creditBytes = frameHeader + 8
    /// Overhead of an encrypted packet: access address 4, header 2, MIC 4 and CRC 3 bytes, and a preamble of a byte for each
    /// megabit a second (volume 6, part B, sections 2.1 and 2.4).
    package static let aroundPayload = 13
    /// Overhead of an empty packet, which has no MIC.
    private static let aroundNothing = 9
    /// From one packet to the next (T_IFS, volume 6, part B, section 4.1).
    static let interFrameSpace = Microseconds(150)

    package var frameRoom: Int { packetBytes - RadioCost.frameHeader }

    /// The time in the air of a packet, or of an empty packet for 0.
    package func airtime(of payload: Int) -> Microseconds {
        let around = payload == 0 ? RadioCost.aroundNothing : RadioCost.aroundPayload
        return Microseconds(UInt64((megabits + around + payload) * 8 / megabits))
    }

    /// The time of a packet and its answer, with the space after each.
    package func airtime(of payload: Int, answeredBy answer: Int) -> Microseconds {
        airtime(of: payload) + airtime(of: answer) + RadioCost.interFrameSpace + RadioCost.interFrameSpace
    }

    /// Events from the request for other parameters to the first event with them. The specification demands at least six (5.4,
    /// volume 6, part B, section 5.1.1). Link layers in use add those that the watch may sleep through (the BLE5 stack of Texas
    /// Instruments: latency + 1 + 6).
    static func eventsToChange(latency: Int) -> Int { latency + 1 + 6 }
}
