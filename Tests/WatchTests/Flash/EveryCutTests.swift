import Foundation
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// Tests a wearer's day with failures of the flash chip. The first test cuts the power at each flash operation, with
/// each `TornForm`. The second one cuts it again during the recovery. In the third one, each operation fails once.
/// Every check-off that the wearer has felt must reach the phone exactly once, in order.
///
/// Nightly runs test all second cuts and all failing operations. Other runs test a sample, which begins at a random
/// operation.
struct EveryCutTests {
    private func judge(_ run: WatchedRun, taps: Int, felt: Int, _ place: String) {
        let checked = run.phone.checkOffs.map(\.id)
        #expect(checked == checked.sorted() && Set(checked).count == checked.count, "\(place): \(checked)")
        #expect(checked.count >= felt, "\(place): \(felt) were felt, \(checked)")
        #expect(checked.count <= taps, "\(place): \(taps) were made, \(checked)")
        #expect(run.titles == run.phone.waiting.map(\.title), "\(place)")
        #expect(run.screen.isSynchronized, "\(place)")
    }

    @Test func `a cut at every operation, in every torn form, loses nothing that was felt`() throws {
        let (moments, _, _) = try ScriptedDay.moments()
        #expect(moments.last?.felt ?? 0 >= 19)
        let erases = moments.count { if case .erase = $0.operation { true } else { false } }
        #expect(erases >= 2 * ScriptedDay.geometry.sectorCount / 2)
        for (number, moment) in moments.enumerated() {
            for (form, torn) in TornForm.allCases.enumerated() {
                let chip = torn.left(of: moment, seed: UInt64(number * 8 + form))
                let run = try WatchedRun(chip, InMemoryPhone(restoredFrom: moment.phone), seed: 77)
                run.connect()
                judge(run, taps: moment.taps, felt: moment.felt, "operation \(number), \(torn)")
            }
        }
    }

    @Test func `a second cut at every operation of the recovery loses nothing either`() throws {
        let (moments, _, _) = try ScriptedDay.moments()
        let seed = Seed.printed(for: "second cuts")
        var random = SplitMix64(seed: seed)
        let step = TestLevel.rounds(97, nightly: 1)
        var next = Int(random.next() % UInt64(step))
        var place = 0
        for (number, moment) in moments.enumerated() {
            for torn in [TornForm.half, .random] {
                let chip = torn.left(of: moment, seed: seed &+ UInt64(number))
                var recovery: [ScriptedDay.Moment] = []
                let phone = InMemoryPhone(restoredFrom: moment.phone)
                // The recovery begins with the mount, and lasts until the watch and the phone are in sync.
                let run = try WatchedRun(chip, phone, seed: 78) { operation, chip in
                    defer { place += 1 }
                    guard place >= next else { return }
                    next = place + step
                    recovery.append(
                        ScriptedDay.Moment(
                            chip: chip, phone: InMemoryPhone(restoredFrom: phone), operation: operation,
                            taps: moment.taps, felt: moment.felt))
                }
                run.connect()
                for second in recovery {
                    let left = TornForm.random.left(of: second, seed: random.next())
                    let last = try WatchedRun(left, second.phone, seed: 79)
                    last.connect()
                    judge(last, taps: moment.taps, felt: moment.felt, "operation \(number), \(torn), then \(place)")
                }
            }
        }
    }

    @Test func `each operation failing once loses nothing that was felt`() throws {
        let count = try ScriptedDay.moments().moments.count
        let seed = Seed.printed(for: "one operation fails")
        let step = TestLevel.rounds(13, nightly: 1)
        for operation in stride(from: Int(seed % UInt64(step)), to: count, by: step) {
            for error in [FlashError.verifyFailed, .notResponding] {
                var chip = ScriptedDay.blank
                chip.failOnce(with: error, afterOperations: operation, seed: seed &+ UInt64(operation))
                let (moments, end, phone) = try ScriptedDay.moments(on: chip)
                let run = try WatchedRun(end, phone, seed: 80)
                run.connect()
                judge(run, taps: 20, felt: moments.last?.felt ?? 0, "operation \(operation), \(error)")
            }
        }
    }
}

enum FlashOperation {
    case program(address: Int, bytes: [UInt8])
    case erase(sector: Int)
}

final class WatchedFlash: NORFlash {
    var chip: MemoryFlash
    /// Called before each operation, with the chip.
    var tell: (FlashOperation, MemoryFlash) -> Void = { _, _ in }

    init(_ chip: MemoryFlash) {
        self.chip = chip
    }

    var flashGeometry: FlashGeometry { chip.flashGeometry }
    var flashActivity: FlashActivity { chip.flashActivity }

    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try chip.readFlash(at: address, into: &destination)
    }

    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        tell(.program(address: address, bytes: bytes.indices.map { bytes[$0] }), chip)
        try chip.programFlash(at: address, bytes)
    }

    func beginErase(sector: Int) throws(FlashError) {
        tell(.erase(sector: sector), chip)
        try chip.beginErase(sector: sector)
    }

    func finishErase() {
        chip.finishErase()
    }
}

/// A watch and its phone, from the start of the watch until its power fails. The chip and the phone's database can
/// come from an earlier run.
final class WatchedRun {
    let phone: InMemoryPhone
    let flash: WatchedFlash
    let radio: VirtualRadio
    private let clock = VirtualClock()
    private let board: SimulatedBoard<WatchedFlash>
    private var program: RuntimeProgram<WatchedFlash, ShippingHandler>

    init(
        _ chip: MemoryFlash, _ phone: InMemoryPhone, seed: UInt64,
        tell: @escaping (FlashOperation, MemoryFlash) -> Void = { _, _ in }
    ) throws {
        self.phone = phone
        flash = WatchedFlash(chip)
        flash.tell = tell
        radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(2))
        board = try SimulatedBoard(
            flash: flash, radio: radio, clock: .virtual(clock),
            calendar: .set(BoardCalendar.example, at: .start))
        program = RuntimeProgram(on: board, handler: ShippingHandler(), seed: seed)
        program.start()
    }

    var screen: ScreenDescription { program.describe() }
    var titles: [String] { screen.rows.map(\.title) }

    var felt: Int { board.output.haptics.pulses.count { $0.pattern != .failure } }

    func run(for length: Microseconds, until condition: () -> Bool = { false }) {
        let deadline = clock.now + length
        while clock.now < deadline {
            switch program.step() {
            case .again: break
            case .idle(let wakeUp):
                if condition() { return }
                board.idle(until: min(wakeUp ?? deadline, deadline, clock.now + .milliseconds(20)))
            }
        }
    }

    func connect() {
        radio.connect()
        run(for: .seconds(20)) { screen.isSynchronized }
        run(for: .milliseconds(500))
    }

    func tap() {
        board.post(.tap(row: 0))
        run(for: .milliseconds(400))
    }

    func end() {
        radio.cut()
    }
}

/// A wearer's day. The list arrives, and the wearer taps 20 times, with and without the phone. In the middle of the
/// day, the watch restarts. The banks change several times.
struct ScriptedDay {
    /// Two banks of 3 KB each. They are small, so that the banks change often.
    static let geometry = FlashGeometry(pageSize: 256, sectorSize: 512, sectorCount: 12)
    static let items = 24

    struct Moment {
        var chip: MemoryFlash
        var phone: InMemoryPhone
        var operation: FlashOperation
        var taps: Int
        var felt: Int
    }

    private final class Progress {
        var taps = 0
        var felt = 0
        var run: WatchedRun?
        var moments: [Moment] = []
    }

    /// Runs the day on `chip`. Returns the state just before each flash operation, and the chip and the phone at the
    /// end of the day.
    static func moments(on chip: MemoryFlash = blank) throws -> (moments: [Moment], end: MemoryFlash, InMemoryPhone) {
        let progress = Progress()
        var (chip, phone) = (chip, InMemoryPhone(items: items))
        for part in 0..<2 {
            let run = try WatchedRun(chip, phone, seed: UInt64(part) + 1) { [phone] operation, chip in
                progress.moments.append(
                    Moment(
                        chip: chip, phone: InMemoryPhone(restoredFrom: phone), operation: operation,
                        taps: progress.taps, felt: progress.felt + (progress.run?.felt ?? 0)))
            }
            progress.run = run
            run.connect()
            for _ in 0..<5 { tap(run, progress) }
            run.radio.cut()
            run.run(for: .seconds(1))
            for _ in 0..<5 { tap(run, progress) }
            if part == 1 { run.connect() }
            progress.felt += run.felt
            progress.run = nil
            run.end()
            (chip, phone) = (run.flash.chip, run.phone)
        }
        return (progress.moments, chip, phone)
    }

    static var blank: MemoryFlash { MemoryFlash(geometry, eraseEnd: .afterQueries(1)) }

    private static func tap(_ run: WatchedRun, _ progress: Progress) {
        progress.taps += 1
        run.tap()
    }
}

enum TornForm: CaseIterable {
    case nothing
    case half
    case allButOneBit
    case whole
    case random

    func left(of moment: ScriptedDay.Moment, seed: UInt64) -> MemoryFlash {
        var chip = moment.chip.cutDuringErase(seed: seed)
        var random = SplitMix64(seed: seed)
        switch moment.operation {
        case .program(let address, var bytes):
            switch self {
            case .nothing: return chip
            case .half: for index in bytes.count / 2..<bytes.count { bytes[index] = 0xFF }
            case .allButOneBit:
                let place = bytes.indices.last { bytes[$0] != 0xFF }
                if let place { bytes[place] |= ~bytes[place] & (0 &- ~bytes[place]) }
            case .whole: break
            case .random: for index in bytes.indices { bytes[index] |= UInt8(truncatingIfNeeded: random.next()) }
            }
            for index in bytes.indices { chip.contents[address + index] &= bytes[index] }
        case .erase(let sector):
            let size = chip.flashGeometry.sectorSize
            for address in sector * size..<(sector + 1) * size {
                switch self {
                case .nothing: break
                case .half: if address % size < size / 2 { chip.contents[address] = 0xFF }
                case .allButOneBit: chip.contents[address] = address % size == size - 1 ? 0xFE : 0xFF
                case .whole: chip.contents[address] = 0xFF
                case .random: chip.contents[address] = UInt8(truncatingIfNeeded: random.next())
                }
            }
        }
        return chip
    }
}
