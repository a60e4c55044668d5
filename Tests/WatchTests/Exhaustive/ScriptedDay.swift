import WatchLink

@testable import DeviceModel
@testable import Watch

/// A program or an erase of a flash chip.
enum FlashOperation {
    case program(address: Int, bytes: [UInt8])
    case erase(sector: Int)
}

/// A chip that tells of every program and erase before it does it.
final class WatchedFlash: NORFlash {
    var chip: MemoryFlash
    var tell: (FlashOperation) -> Void = { _ in }

    init(_ chip: MemoryFlash) {
        self.chip = chip
    }

    var flashGeometry: FlashGeometry { chip.flashGeometry }
    var flashActivity: FlashActivity { chip.flashActivity }

    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try chip.readFlash(at: address, into: &destination)
    }

    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        tell(.program(address: address, bytes: bytes.indices.map { bytes[$0] }))
        try chip.programFlash(at: address, bytes)
    }

    func beginErase(sector: Int) throws(FlashError) {
        tell(.erase(sector: sector))
        try chip.beginErase(sector: sector)
    }

    func finishErase() {
        chip.finishErase()
    }
}

/// A whole watch with its phone: from a chip and the phone's database until the power fails.
final class WatchedRun {
    let phone: SimulatedPhone
    let flash: WatchedFlash
    let radio: VirtualRadio
    private let clock = VirtualClock()
    private let board: SimulatedBoard<WatchedFlash>
    private var program: RuntimeProgram<SimulatedBoard<WatchedFlash>, ShippingHandler>

    init(
        _ chip: MemoryFlash, _ phone: SimulatedPhone, seed: UInt64,
        tell: @escaping (FlashOperation) -> Void = { _ in }
    ) throws {
        self.phone = phone
        flash = WatchedFlash(chip)
        flash.tell = tell
        radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(2))
        board = try SimulatedBoard(
            flash: flash, radio: radio, clock: .virtual(clock),
            calendar: .set(LocalTime(seconds: 1_795_169_310), at: .start))
        program = RuntimeProgram(on: board, handler: ShippingHandler(), seed: seed)
        program.start()
    }

    var screen: ScreenDescription { program.describe() }
    var titles: [String] { screen.rows.map(\.title) }

    /// The taps that were felt as kept.
    var felt: Int { board.output.haptics.pulses.count { $0.pattern != .failure } }

    /// Runs for a length of time, or until a condition holds when the watch has nothing more to do.
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

    /// Connects and waits until both are in sync, and for what follows from that.
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

/// The day of a wearer: the list arrives, 20 taps with and without the phone, changes of banks, and an epoch change.
struct ScriptedDay {
    /// Small, so that the banks change often: 3 KB each.
    static let geometry = FlashGeometry(pageSize: 256, sectorSize: 512, sectorCount: 12)
    static let items = 24

    /// The state just before an operation of the day.
    struct Moment {
        var chip: MemoryFlash
        var phone: SimulatedPhone
        var operation: FlashOperation
        /// Taps that were made, and those of them that were felt as kept.
        var taps: Int
        var felt: Int
    }

    /// The tap that is being made, for the moments within it.
    private final class Progress {
        var taps = 0
        var felt = 0
        var run: WatchedRun?
        var moments: [Moment] = []
    }

    /// Runs the day on `chip` and returns the moments of all its operations, and its end.
    static func moments(on chip: MemoryFlash = blank) throws -> (moments: [Moment], end: MemoryFlash, SimulatedPhone) {
        let progress = Progress()
        var (chip, phone) = (chip, SimulatedPhone(items: items))
        for part in 0..<2 {
            let run = try WatchedRun(chip, phone, seed: UInt64(part) + 1) { operation in
                guard let run = progress.run else { return }
                progress.moments.append(
                    Moment(
                        chip: run.flash.chip, phone: SimulatedPhone(restoredFrom: run.phone), operation: operation,
                        taps: progress.taps, felt: progress.felt + run.felt))
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

/// What a loss of power leaves of an operation.
enum TornForm: CaseIterable {
    case nothing
    case half
    case allButOneBit
    case whole
    case random

    /// The chip after the operation was cut short, and with it any erase in progress.
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
