import DeviceModel
import Testing
import Watch
import WatchLink

@testable import FirmwareWatch

struct FirmwareReportTests {
    private static let tap = TapNumber(70_000)
    private static let time = Instant(microseconds: 5_000_000_000)

    @Test func `what the board's own code writes is read`() throws {
        let idle = BenchIdle(
            inputs: 3, deadline: Self.time, now: .start, panelBytes: 3_360, radioBytes: 9, ticks: 70_000)
        let pairs: [(BenchReport, FirmwareReport)] = [
            (.haptic(.success), .haptic(.success)),
            (
                .trace(.mark(.updated, tap: Self.tap, at: Self.time), ticks: 7),
                .mark(.updated, tap: Self.tap, at: Self.time, ticks: 7)
            ),
            (
                .trace(.stageBegan("haptic", tap: Self.tap, at: Self.time), ticks: .max),
                .stageBegan("haptic", tap: Self.tap, at: Self.time, ticks: .max)
            ),
            (
                .trace(.stageEnded("haptic", tap: Self.tap, at: Self.time), ticks: 0),
                .stageEnded("haptic", tap: Self.tap, at: Self.time, ticks: 0)
            ),
            (.trace(.screenChanged(at: Self.time), ticks: 8), .screenChanged(at: Self.time, ticks: 8)),
            (.idle(idle), .idle(idle)),
            (.memory(stack: 1_500, handlerStack: 200), .memory(stack: 1_500, handlerStack: 200)),
            (.ready, .ready),
            (
                .lines(2, first: .max, last: 90_000, awaited: 5),
                .lines(2, first: .max, last: 90_000, awaited: 5)
            ),
        ]
        for (written, read) in pairs { #expect(try FirmwareReport(payload(written)) == read) }
    }

    @Test(arguments: [
        JournalError.notMounted, .full, .recordTooLong, .snapshotTooLarge, .unsuitableGeometry,
        .flash(.outOfRange), .flash(.verifyFailed), .flash(.notResponding),
    ])
    func `every error of the journal is read`(error: JournalError) throws {
        let written = BenchReport.trace(.journalFailed(error, at: Self.time), ticks: 0)
        #expect(try FirmwareReport(payload(written)) == .journalFailed(error, at: Self.time))
    }

    @Test func `a description is read`() throws {
        #expect(try FirmwareReport(payload(description: [0xA0])) == .described([0xA0]))
    }

    @Test func `what is no report says why`() throws {
        #expect(throws: ReportError.malformed(.truncated)) { try FirmwareReport([]) }
        #expect(throws: ReportError.unknownKind(23, fields: 1)) { try FirmwareReport([0x81, 23]) }
        #expect(throws: ReportError.unknownKind(1, fields: 3)) { try FirmwareReport([0x83, 1, 1, 1]) }
        #expect(throws: ReportError.unknownValue(9)) { try FirmwareReport([0x82, 1, 9]) }
        #expect(throws: ReportError.unknownValue(300)) { try FirmwareReport([0x82, 1, 0x19, 1, 44]) }
        #expect(throws: ReportError.unknownValue(7)) { try FirmwareReport([0x83, 5, 7, 0]) }
    }
}

struct PanelDecoderTests {
    private static func bytes(_ number: UInt8, _ pixel: UInt8) -> [UInt8] {
        [0xA5, number] + [UInt8](repeating: pixel, count: PanelGeometry.bytesPerLine)
    }

    private func lines(_ bytes: [UInt8]) -> [PanelLine] {
        var decoder = PanelDecoder()
        return bytes.compactMap { decoder.take($0) }
    }

    private func line(_ number: Int, _ pixel: UInt8) -> PanelLine {
        PanelLine(number: number, pixels: [UInt8](repeating: pixel, count: PanelGeometry.bytesPerLine))
    }

    @Test func `lines come out as they came in`() {
        #expect(lines(Self.bytes(0, 1) + Self.bytes(167, 0xA5)) == [line(0, 1), line(167, 0xA5)])
    }

    @Test(arguments: [[0x00, 0xFF, 0x13], [0xA5, 0xFF], [0xA5, 168]] as [[UInt8]])
    func `noise between lines is passed over`(noise: [UInt8]) {
        #expect(lines(Self.bytes(3, 1) + noise + Self.bytes(4, 2)) == [line(3, 1), line(4, 2)])
    }

    @Test func `after a line that was cut the ones behind the next are found`() {
        let cut = Array(Self.bytes(3, 1).dropLast(5))
        let found = lines(cut + Self.bytes(4, 2) + Self.bytes(5, 3) + Self.bytes(6, 4))
        #expect(found.suffix(2) == [line(5, 3), line(6, 4)])
    }

    @Test func `every byte is counted`() {
        var decoder = PanelDecoder()
        for byte in Self.bytes(3, 1) + [7, 7] { _ = decoder.take(byte) }
        #expect(decoder.received == 22)
        #expect(decoder.skipped == 2)
    }
}
