import Emulator
import ListFeed
import Watch
import WatchLink

/// A report from the firmware on its bench line. The firmware encodes it with `BenchReport`.
package enum FirmwareReport: Equatable, Sendable {
    case haptic(HapticPattern)
    /// A tap reached a mark. `ticks` is the board's own timer at 25 MHz, which wraps.
    case mark(TapMark, tap: TapNumber, at: Instant, ticks: UInt32)
    case stageBegan(String, tap: TapNumber, at: Instant, ticks: UInt32)
    case stageEnded(String, tap: TapNumber, at: Instant, ticks: UInt32)
    case screenChanged(at: Instant, ticks: UInt32)
    /// The panel shows what the wearer has waited for since `from`.
    case moment(WatchMoment, from: Instant, at: Instant)
    case journalFailed(JournalError, at: Instant)
    case idle(BenchIdle)
    /// The screen in CBOR, which `ScreenDescription` decodes.
    case described([UInt8])
    /// The largest size so far, in bytes, of the program's stack and of the interrupt handlers' stack.
    case memory(stack: UInt32, handlerStack: UInt32)
    case ready
    case pairing(PairingAnswer)
    /// The panel shows lines. The values are their number, and the ticks at which the first and the last one were sent. At tick
    /// `awaited`, the runtime began to wait for the last one.
    case lines(UInt32, first: UInt32, last: UInt32, awaited: UInt32)

    /// - Throws: `ReportError`. No input traps.
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
                guard let error = JournalError(traceCode: code) else { throw ReportError.unknownValue(code) }
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

/// The error in a frame on the bench line.
package enum ReportError: Error, Equatable, Sendable {
    /// The payload is not a report in CBOR.
    case malformed(CBORError)
    /// There is no report with this number, or none with this number of fields.
    case unknownKind(UInt32, fields: Int)
    /// The value is not defined.
    case unknownValue(UInt32)
}

package struct PanelLine: Equatable {
    package var number: Int
    package var pixels: [UInt8]
}

/// Extracts lines of pixels from the bytes of the panel line. Each one is a marker byte, a line number and 18 bytes.
///
/// Skips all other bytes, up to the next marker with a valid line number.
package struct PanelDecoder {
    private enum Progress {
        case between
        case marked
        case within(PanelLine)
    }

    private static var mark: UInt8 { 0xA5 }

    private var progress = Progress.between
    /// The number of bytes since the start, modulo 2^32. The board counts in the same way.
    private(set) var received: UInt32 = 0
    package private(set) var skipped = 0

    package init() {}

    package mutating func take(_ byte: UInt8) -> PanelLine? {
        received &+= 1
        switch progress {
        case .between:
            if byte == PanelDecoder.mark { progress = .marked } else { skipped += 1 }
        case .marked where Int(byte) < PanelGeometry.height:
            progress = .within(PanelLine(number: Int(byte), pixels: []))
        case .marked:
            skipped += 2
            progress = .between
        case .within(var line):
            line.pixels.append(byte)
            if line.pixels.count == PanelGeometry.bytesPerLine {
                progress = .between
                return line
            }
            progress = .within(line)
        }
        return nil
    }
}

extension BenchCommand {
    package var frame: [UInt8] { SerialFrame.bytes(payload) }

    var payload: [UInt8] {
        do throws(CBORError) {
            return try [UInt8](capacity: BenchCommand.largest) { writer throws(CBORError) in
                try encode(into: &writer)
            }
        } catch {
            preconditionFailure("a command has at most \(BenchCommand.largest) bytes")
        }
    }
}
