import Watch
import WatchLink

package struct Processor: Sendable, Equatable, Codable {
    /// Nil for a processor that takes no time.
    package var clockHertz: Int?
    /// The average number of cycles that an instruction takes. It does not affect code that an emulator executes. A
    /// `CountTable` has cycles of the processor of `memory-lcd`. For another processor, `cycles(of:)` scales them by the ratio
    /// of the averages.
    package var cyclesPerInstruction: Double

    /// Converts a count for the processor of `memory-lcd` to cycles of this processor.
    package func cycles(of count: CodeCount) -> Int {
        let counted = DeviceProfile.memoryLCD.processor.cyclesPerInstruction
        if cyclesPerInstruction == counted { return count.cycles }
        return Int((Double(count.cycles) * cyclesPerInstruction / counted).rounded())
    }

    /// Converts cycles to time, rounded down to whole microseconds. The board charges the difference of two totals, so no
    /// remainder is lost.
    package func time(cycles: Int) -> Microseconds {
        guard let clockHertz else { return .zero }
        return Microseconds(UInt64(cycles) * 1_000_000 / UInt64(clockHertz))
    }
}

package struct HapticCost: Sendable, Equatable {
    /// The time to send the pattern and the start command over the bus. The processor waits until both are sent.
    package var busWrite: Microseconds
    /// The time from the start command to the first movement. The processor does not wait for it.
    package var start: Microseconds
    /// The time from the first movement until the wearer feels it.
    package var rise = Microseconds.zero

    package func felt(_ pulse: HapticPulse) -> Instant { pulse.time + rise }
}

/// The time that the phone's database takes, and the time that a suspended app takes to wake up. The phone acknowledges a
/// message after the transaction that stores the message.
package struct PhoneCost: Sendable, Equatable {
    package struct Suspension: Sendable, Equatable {
        /// The app is suspended after this time without a message.
        package var after: Microseconds
        /// The time from the next message until the app begins its transaction.
        package var wakeUp: Microseconds
    }

    /// The time to read a thousand rows. For a single row, a microsecond would be too coarse a unit.
    package var readThousandRows: Microseconds
    package var commit: Microseconds
    /// Nil for an app that always runs. The phone answers pings even while the app is suspended.
    package var suspension: Suspension?

    /// Returns how long a message waits for the app to wake up, if the database was idle for `idle` before the message.
    package func wakeUp(after idle: Microseconds) -> Microseconds {
        guard let suspension, idle >= suspension.after else { return .zero }
        return suspension.wakeUp
    }

    package func transaction(rows: Int) -> Microseconds {
        Microseconds(readThousandRows.count * UInt64(rows) / 1_000) + commit
    }
}

package struct PanelCost: Sendable, Equatable {
    package enum Bus: String, Sendable, CaseIterable {
        case own
        /// The panel and the flash chip share one bus, so each waits for the other.
        case sharedWithFlash = "shared with flash"
    }

    /// The limits of the DMA engine. A line of more than `mostBytes` takes several transfers.
    package struct Transfers: Sendable, Equatable {
        package var mostBytes: Int
        /// The time that the interrupt between two transfers of a line takes.
        package var pause: Microseconds
    }

    /// Nil for a bus that takes no time.
    package var busHertz: Int?
    /// The bits of a line's pixels and of its overhead.
    package var bitsPerLine: Int
    /// The bits that are sent once for a run of lines: a mode or a window before the lines, and a trailer after them.
    package var bitsPerFlush: Int
    /// Nil if each line takes one transfer.
    package var transfers: Transfers?
    package var bus = Bus.own
    /// The time between two scans of the panel's memory. Zero for a panel that shows a line when it is written.
    package var scanOut = Microseconds.zero
    /// The time that a pixel takes to change between dark and lit.
    package var light = Microseconds.zero

    package func time(bits: Int) -> Microseconds {
        guard let busHertz else { return .zero }
        return Microseconds(UInt64(bits) * 1_000_000 / UInt64(busHertz))
    }

    /// Returns the minimum time to send `lines` lines in one run: their bits on the bus and the pauses between transfers.
    package func time(lines: Int) -> Microseconds {
        lines == 0 ? .zero : time(bits: bitsPerFlush + lines * bitsPerLine) + pauses(lines: lines)
    }

    /// Returns when an eye sees what the panel's memory holds at `instant`: at the next scan plus `light`. Scans are at
    /// multiples of `scanOut` on the board's clock.
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
    package struct Length: Sendable, Equatable {
        package var typical: Microseconds
        /// The duration for a chip at the end of its life, cold, at the lowest supply voltage.
        package var maximum: Microseconds

        static let zero = Length(typical: .zero, maximum: .zero)
    }

    /// The times to program bytes of a page, from the last bit of the command. The first byte takes `firstByte`, and each later
    /// byte `nextByteNanoseconds`. The whole operation takes at most `page`.
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
        /// The time from the suspend command until another sector can be read or programmed.
        package var latency: Microseconds
        /// The shortest time from a resume command to the next suspend command.
        package var betweenSuspends: Microseconds
    }

    /// Nil for a bus that takes no time.
    package var busHertz: Int?
    package var program: Program
    package var sectorErase: Length
    package var eraseSuspend: EraseSuspend

    /// The length of a command byte and an address of three bytes.
    private static let orderBytes = 4

    /// The time on the bus for a command, an address and `bytes` bytes, rounded up to whole microseconds.
    package func transfer(bytes: Int) -> Microseconds {
        guard let busHertz else { return .zero }
        let bits = UInt64(FlashCost.orderBytes + bytes) * 8
        return Microseconds((bits * 1_000_000 + UInt64(busHertz) - 1) / UInt64(busHertz))
    }
}

extension FlashCost.Program {
    /// The time to program `bytes` bytes of one page, rounded up to whole microseconds.
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
    /// The low-power state that a touch controller enters after some time without a touch.
    package struct Rest: Sendable, Equatable {
        package var after: Microseconds
        /// The time between two scans at rest. Must be more than zero.
        package var scanInterval: Microseconds
    }

    /// The time between two scans while the controller does not rest. If a scan detects a finger, the controller fires its
    /// interrupt.
    package var scanInterval: Microseconds
    /// The time from the interrupt until the processor has read what the controller reports.
    package var report = Microseconds.zero
    /// Nil for a controller that never rests.
    package var rest: Rest?

    package var longestWait: Microseconds { max(scanInterval, rest?.scanInterval ?? .zero) }

    /// Returns the maximum time between a touch and the scan at `interrupt` that detected the touch. The previous scan that
    /// detected a finger, or the board's first scan, was at `last`.
    package func wait(before interrupt: Instant, lastScan last: Instant) -> Microseconds {
        guard let rest, interrupt > asleep(after: last, rest) else { return scanInterval }
        return rest.scanInterval
    }

    private func asleep(after last: Instant, _ rest: Rest) -> Instant {
        TouchCost.scan(from: last + rest.after, every: scanInterval, countedFrom: last)
    }

    /// Returns when the interrupt for a touch at `instant` fires: at the next scan. The previous scan that detected a finger,
    /// or the board's first scan, was at `last`.
    package func interrupt(after instant: Instant, lastScan last: Instant) -> Instant {
        let next = TouchCost.scan(from: instant, every: scanInterval, countedFrom: last)
        guard let rest else { return next }
        let asleep = asleep(after: last, rest)
        guard instant > asleep else { return next }
        return TouchCost.scan(from: instant, every: rest.scanInterval, countedFrom: asleep)
    }

    /// Returns the first scan at `instant` or later. A finger is on the panel, so the controller does not rest.
    func interrupt(ofPressedFingerAt instant: Instant, lastScan last: Instant) -> Instant {
        TouchCost.scan(from: instant, every: scanInterval, countedFrom: last)
    }

    /// Returns the first scan of a board that starts at `instant`. Scans are at multiples of `scanInterval` on its clock.
    package func firstScan(from instant: Instant) -> Instant {
        TouchCost.scan(from: instant, every: scanInterval, countedFrom: .start)
    }

    /// Returns the first scan at `instant` or later, but not before `origin`. Returns `instant` if `interval` is zero.
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

/// The parameters and timing of a Bluetooth LE connection. The watch may sleep through some connection events while it has
/// nothing to send (Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.1).
package struct RadioCost: Sendable, Equatable {
    package struct Rest: Sendable, Equatable {
        package var after: Microseconds
        package var interval: Microseconds
        package var latency: Int
    }

    /// The time between two events while the wearer uses the watch: 7.5 ms to 4 s. Zero for a link that takes no time.
    package var interval: Microseconds
    /// How many consecutive events the watch may sleep through: 0 to 499.
    package var latency: Int
    /// The largest payload of a packet: 27 to 251 bytes. A packet begins or continues one L2CAP PDU, so it contains at most one
    /// L2CAP frame (Core Specification, volume 6, part B, section 2.4).
    package var packetBytes: Int
    /// The maximum number of packets in each direction of an event. An event carries fewer if this many
    /// would take longer than the interval.
    package var packetsPerEvent: Int
    /// 1 or 2 Mbit/s.
    package var megabits = 1
    /// The L2CAP frames that one end may send before the other end returns credits.
    package var credits: Int
    /// The connection is lost if no event succeeds for this time.
    package var supervisionTimeout: Microseconds
    /// Nil for a connection that never changes its parameters.
    package var rest: Rest?

    /// Counts the events in `length` in which an idle watch listens. Uses the parameters of `rest`, or those of this value if
    /// `rest` is nil.
    package func idleEvents(in length: Microseconds) -> Int {
        let (interval, latency) = rest.map { ($0.interval, $0.latency) } ?? (interval, latency)
        guard interval.count > 0 else { return 0 }
        return Int(length.count / (interval.count * UInt64(latency + 1)))
    }

    /// The bytes of an L2CAP frame's header: two for the length and two for the channel (Core Specification 5.4, volume 3, part
    /// A, section 3.4.1).
    package static let frameHeader = 4
    /// The bytes that hold an SDU's length, at the beginning of its first frame (volume 3, part A, section 3.4).
    package static let sduLength = 2
    /// The payload of a packet that returns credits, in bytes: a frame header, and a flow control credit indication of 8 bytes
    /// (volume 3, part A, section 4.24).
    package static let creditBytes = frameHeader + 8
    /// The overhead of an encrypted packet, without its preamble: access address 4, header 2, MIC 4 and CRC 3 bytes. The
    /// preamble has one byte for each Mbit/s (volume 6, part B, sections 2.1 and 2.4).
    package static let aroundPayload = 13
    /// The overhead of an empty packet, which has no MIC, without its preamble.
    private static let aroundNothing = 9
    /// The time between two packets (T_IFS, volume 6, part B, section 4.1).
    static let interFrameSpace = Microseconds(150)

    package var frameRoom: Int { packetBytes - RadioCost.frameHeader }

    /// The time of a packet on air. A payload of 0 bytes is an empty packet.
    package func airtime(of payload: Int) -> Microseconds {
        let around = payload == 0 ? RadioCost.aroundNothing : RadioCost.aroundPayload
        return Microseconds(UInt64((megabits + around + payload) * 8 / megabits))
    }

    /// The time of two packets on air, with the pause after each.
    package func airtime(of payload: Int, answeredBy answer: Int) -> Microseconds {
        airtime(of: payload) + airtime(of: answer) + RadioCost.interFrameSpace + RadioCost.interFrameSpace
    }

    /// The number of events from a request for new parameters until these take effect. The specification requires at least
    /// six (5.4, volume 6, part B, section 5.1.1). Link layers in use add the events that the watch may sleep through (the BLE5
    /// stack of Texas Instruments: latency + 1 + 6).
    static func eventsToChange(latency: Int) -> Int { latency + 1 + 6 }
}
