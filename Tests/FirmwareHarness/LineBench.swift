import DeviceModel
import Emulator
import FirmwareWatch
import HostSystem
import MPS2Memory
import Watch
import WatchLink

/// The firmware in an emulator, driven byte by byte over its serial lines. It sends what no phone and no wearer sends,
/// and reads every report. `FirmwareBench` is the same machine with a phone.
///
/// The bench's time stands while the runtime is idle, so what the board says is the same on every machine.
final class LineBench {
    private(set) var said = LineLog()
    /// Every report among it, in its order.
    private(set) var reports: [FirmwareReport] = []
    /// The last report of being idle that was waited for.
    private(set) var idle = BenchIdle(inputs: 0, deadline: nil, now: .start, panelBytes: 0, radioBytes: 0)

    private enum Progress {
        case running
        case ended(MachineEnd)
    }

    // Before the flash: the machine ends before the file is another's to lock.
    private var machine: QEMUMachine
    private let flash: FirmwareFlash
    private var progress = Progress.running
    private var frames = FrameReader(largestPayload: 1_024)
    /// Reports that were waited for or passed over.
    private var awaited = 0
    private var radioSent: UInt32 = 0

    /// Ends a test whose board hangs. A busy machine gives QEMU a small share of itself, so the limit is minutes.
    private static var patience: Microseconds { .seconds(240) }

    /// - Parameter outputs: which way the lines of the console and the panel go.
    init(
        image: String, flash: consuming FirmwareFlash, pacing: BootSettings.Pacing = .paced,
        hearing outputs: Hearing = .asBuilt
    ) throws(FirmwareError) {
        try ImageFile.check(image)
        guard let emulator = QEMUCommand.find("qemu-system-arm") else { throw .noEmulator }
        let settings = BootSettings(pacing: pacing, calendar: LineBench.calendar, seed: 7)
        let direction: MachineLine.Direction =
            switch outputs {
            case .asBuilt: .fromMachine
            case .everywhere: .both
            }
        machine = try QEMUMachine(
            QEMUCommand(
                emulator: emulator, image: image, flash: flash.path, settings: settings, outputs: direction))
        self.flash = flash
    }

    /// The lines that are connected both ways.
    enum Hearing: Sendable {
        case asBuilt
        case everywhere
    }

    /// Friday, 2026-11-20 10:08:30, as on `WatchBench`.
    static var calendar: LocalTime { BoardCalendar.example }

    // MARK: Saying

    func send(_ bytes: [UInt8], on line: BoardLine) {
        switch line {
        case .console: machine.console.send(bytes)
        case .radio:
            radioSent &+= UInt32(truncatingIfNeeded: bytes.count)
            machine.radio.send(bytes)
        case .panel: machine.panel.send(bytes)
        case .bench: machine.bench.send(bytes)
        }
    }

    func tell(_ command: BenchCommand) {
        send(command.frame, on: .bench)
    }

    // MARK: Time

    /// Resumes the time `length` later.
    func goOn(after length: Microseconds = .zero) {
        tell(.go(now: idle.now + length, radioBytes: radioSent))
    }

    /// Waits until the runtime is idle and everything that it sent has arrived.
    ///
    /// - Returns: the number of handled inputs.
    @discardableResult
    func awaitIdle() throws(FirmwareError) -> UInt32 {
        idle = try nextReport { report in
            guard case .idle(let idle) = report else { return nil }
            return idle
        }
        while said.panel.count < idle.panelBytes || said.radio.count < idle.radioBytes { try pump() }
        return idle.inputs
    }

    @discardableResult
    func wait(_ length: Microseconds) throws(FirmwareError) -> UInt32 {
        let end = idle.now + length
        while let deadline = idle.deadline, deadline < end {
            goOn(after: deadline > idle.now ? deadline - idle.now : .zero)
            try awaitIdle()
        }
        goOn(after: end > idle.now ? end - idle.now : .zero)
        return try awaitIdle()
    }

    /// Gives the watch an input after a time, and waits until the runtime has handled it. Returns the number of handled
    /// inputs.
    @discardableResult
    func act(_ input: Input, after length: Microseconds = .zero) throws(FirmwareError) -> UInt32 {
        try act([input], after: length)
    }

    /// Gives the watch inputs at one time, as `act` does one.
    @discardableResult
    func act(_ inputs: [Input], after length: Microseconds = .zero) throws(FirmwareError) -> UInt32 {
        if length > .zero { try wait(length) }
        for input in inputs { tell(.input(input)) }
        goOn()
        return try awaitIdle()
    }

    // MARK: Hearing

    /// The first result of `choose` that is not nil. Earlier reports are skipped.
    func nextReport<Answer>(
        _ choose: (FirmwareReport) -> Answer?
    ) throws(FirmwareError) -> Answer {
        while true {
            while awaited < reports.count {
                awaited += 1
                if let answer = choose(reports[awaited - 1]) { return answer }
            }
            try pump()
        }
    }

    /// Waits until the machine ends by itself. Returns how it ended, and what is on the console.
    func awaitEnd() throws(FirmwareError) -> (status: CInt?, console: String) {
        while true {
            switch progress {
            case .running: try exchange()
            case .ended(.exited(let status)): return (status, consoleText)
            case .ended(.killed): return (nil, consoleText)
            }
        }
    }

    var consoleText: String { String(decoding: said.console, as: UTF8.self) }

    /// What the panel shows.
    ///
    /// - Throws: `.stopped` where the panel's line carries anything but lines of pixels.
    var frame: PanelFrame {
        get throws(FirmwareError) {
            var decoder = PanelDecoder()
            var output = BoardOutput()
            for byte in said.panel {
                if let line = decoder.take(byte) { output.writeLine(line.number, pixels: line.pixels.span) }
            }
            guard decoder.skipped == 0 else {
                throw .stopped("\(decoder.skipped) bytes on the panel's line are no pixels")
            }
            return output.frame
        }
    }

    /// Hears the machine once more, which has to run.
    private func pump() throws(FirmwareError) {
        try exchange()
        if case .ended(let end) = progress { throw .stopped("\(end): \(consoleText)") }
    }

    private func exchange() throws(FirmwareError) {
        var interest = machine.interest
        guard PolledDescriptor.wait(for: &interest, microseconds: LineBench.patience.count) else {
            throw .stopped("the firmware does not answer: \(consoleText)")
        }
        let news = machine.exchange()
        said.console += news.text
        said.radio += news.radio
        said.panel += news.panel
        said.bench += news.bench
        for byte in news.bench {
            guard let payload = frames.take(byte) else { continue }
            do throws(ReportError) {
                reports.append(try FirmwareReport(payload))
            } catch {
                throw .stopped("a report of the firmware's cannot be read: \(error)")
            }
        }
        guard frames.dropped == 0 else { throw .stopped("a frame of the firmware's is damaged") }
        if case .ended(let end) = news.progress { progress = .ended(end) }
    }
}

enum BoardLine: CaseIterable, Sendable {
    case console
    /// Datagrams of the link, as serial frames.
    case radio
    case panel
    case bench
}

/// Everything that a board has said on its lines since it was switched on.
struct LineLog: Equatable, Sendable {
    var console: [UInt8] = []
    var radio: [UInt8] = []
    var panel: [UInt8] = []
    var bench: [UInt8] = []
}
