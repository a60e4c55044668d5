import Watch
import WatchLink

/// What the firmware tells over its bench line: `BenchReport` as it is read at the other end.
package enum FirmwareReport: Equatable, Sendable {
    case haptic(HapticPattern)
    /// A tap reached a mark. Ticks count at 25 MHz on the board's own timer, and wrap.
    case mark(TapMark, tap: TapNumber, at: Instant, ticks: UInt32)
    case stageBegan(String, tap: TapNumber, at: Instant, ticks: UInt32)
    case stageEnded(String, tap: TapNumber, at: Instant, ticks: UInt32)
    /// What the screen says has changed.
    case screenChanged(at: Instant, ticks: UInt32)
    /// The panel shows what the wearer waits for since `from`.
    case moment(WatchMoment, from: Instant, at: Instant)
    /// The flash journal could not keep something.
    case journalFailed(JournalError, at: Instant)
    /// The runtime has nothing to do.
    case idle(BenchIdle)
    /// What the screen says: the CBOR that `ScreenDescription` decodes.
    case described([UInt8])
    /// The most bytes of the stacks that were ever in use.
    case memory(stack: UInt32, handlerStack: UInt32)
    case ready
    /// What the wearer says to the digits of a pairing.
    case pairing(PairingAnswer)
    /// The number of lines that the panel received as one run, and the ticks of the first, of the last, and of the time from
    /// which the runtime waited for the last.
    case lines(UInt32, first: UInt32, last: UInt32, awaited: UInt32)

    /// The report in the payload of a frame.
    ///
    /// - Throws: `ReportError`. No bytes make it trap.
    package init(_ payload: [UInt8]) throws(ReportError) {
        do {
            var reader = CBORReader(payload.span)
            let count = try reader.array()
            let kind = try reader.word()
            switch (kind, count) {
            case (1, 2): self = .haptic(try FirmwareReport.value(reader.word(), as: HapticPattern.init(rawValue:)))
            case (2, 5): self = try FirmwareReport.mark(&reader)
            case (3, 6): self = try FirmwareReport.stage(&reader)
            case (4, 3):
                self = .screenChanged(at: Instant(microseconds: try reader.unsigned()), ticks: try reader.word())
            case (5, 3):
                let code = try reader.word()
                guard let error = JournalError(benchCode: code) else { throw ReportError.unknownValue(code) }
                self = .journalFailed(error, at: Instant(microseconds: try reader.unsigned()))
            case (6, 7): self = .idle(try BenchIdle(from: &reader))
            case (BenchReport.description, 2):
                let bytes = try reader.bytes()
                self = .described(bytes.indices.map { bytes[$0] })
            case (8, 3): self = .memory(stack: try reader.word(), handlerStack: try reader.word())
            case (9, 1): self = .ready
            case (10, 2): self = .pairing(try FirmwareReport.value(reader.word(), as: PairingAnswer.init(rawValue:)))
            case (11, 5):
                self = .lines(
                    try reader.word(), first: try reader.word(), last: try reader.word(), awaited: try reader.word())
            case (12, 4):
                let moment = try FirmwareReport.value(reader.word(), as: WatchMoment.init(rawValue:))
                let from = Instant(microseconds: try reader.unsigned())
                self = .moment(moment, from: from, at: Instant(microseconds: try reader.unsigned()))
            case (_, _): throw ReportError.unknownKind(kind, fields: count)
            }
        } catch let error as ReportError {
            throw error
        } catch let error as CBORError {
            throw .malformed(error)
        } catch {
            preconditionFailure("nothing else is thrown: \(error)")
        }
    }

    private static func mark(_ reader: inout CBORReader) throws -> FirmwareReport {
        let mark = try value(reader.word(), as: TapMark.init(rawValue:))
        let tap = TapNumber(try reader.word())
        let at = Instant(microseconds: try reader.unsigned())
        return .mark(mark, tap: tap, at: at, ticks: try reader.word())
    }

    private static func stage(_ reader: inout CBORReader) throws -> FirmwareReport {
        let edge = try reader.word()
        let utf8 = try reader.text()
        let name = String(decoding: utf8.indices.map { utf8[$0] }, as: UTF8.self)
        let tap = TapNumber(try reader.word())
        let at = Instant(microseconds: try reader.unsigned())
        let ticks = try reader.word()
        switch edge {
        case 0: return .stageBegan(name, tap: tap, at: at, ticks: ticks)
        case 1: return .stageEnded(name, tap: tap, at: at, ticks: ticks)
        default: throw ReportError.unknownValue(edge)
        }
    }

    private static func value<Value>(_ number: UInt32, as make: (UInt8) -> Value?) throws -> Value {
        guard let byte = UInt8(exactly: number), let value = make(byte) else { throw ReportError.unknownValue(number) }
        return value
    }
}

/// What is wrong with a frame of the bench line.
package enum ReportError: Error, Equatable, Sendable {
    /// It is no CBOR of the form that a report has.
    case malformed(CBORError)
    /// It begins with a number that no report begins with, or has another number of fields.
    case unknownKind(UInt32, fields: Int)
    /// One of its values stands for nothing.
    case unknownValue(UInt32)
}
