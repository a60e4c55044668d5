import DeviceModel
import Emulator
import Glibc
import HostSystem
import Watch
import WatchLink

/// The hardware of a watch in QEMU, as the simulator uses it: the emulator's process at the other end of four serial lines.
///
/// On a real clock, the firmware runs freely, and times of taps are on its own clock. On a virtual clock, it runs only during
/// `step`, and its clock stands still otherwise.
package final class FirmwareSurface: WatchSurface {
    private enum Power {
        case off(QEMUCommand)
        case on
    }

    package let clock: SimulatedClock
    package let inputs: InputQueue
    package private(set) var condition = SurfaceCondition.working

    // Declared before `flash`, so that the emulator ends before another process can lock the flash file.
    private var machine: QEMUMachine?
    private let flash: FirmwareFlash
    private let port: any RadioPort
    private var power: Power
    private var core = FirmwareCore()
    private var bridge = RadioBridge()
    private var console = ConsoleLog()
    /// Bytes from the board's radio that the bridge has not read.
    private var fromRadio: [UInt8] = []
    /// The numbers of radio bytes from the board and to the board.
    private var radioHeard: UInt32 = 0
    private var radioSaid: UInt32 = 0
    /// On a virtual clock, radio bytes that are sent when the board next runs.
    private var toRadio: [UInt8] = []

    init(
        _ command: QEMUCommand, flash: consuming FirmwareFlash, radio: any RadioPort, clock: SimulatedClock
    ) throws(DeviceModelError) {
        inputs = try InputQueue()
        self.clock = clock
        self.flash = flash
        port = radio
        power = .off(command)
    }

    package var output: BoardOutput { core.output }

    /// The newest handled input whose effects `description` shows.
    package var handled: InputNumber { core.handled }

    var description: ScreenDescription { core.description }

    func start() {
        guard case .off(let command) = power else { return }
        power = .on
        do throws(FirmwareError) {
            machine = try QEMUMachine(command)
        } catch {
            return fail("\(error)")
        }
        switch clock {
        case .real:
            ask()
        case .virtual(let clock):
            // On a virtual clock, the board must be idle before it receives bytes. While its clock runs, they would take a
            // varying time.
            wait { $0.idle != nil }
            ask()
            if let now = core.idle?.now { clock.advance(to: now) }
        }
    }

    func step() -> NextStep {
        switch (condition, clock) {
        case (.failed, _): return .idle(until: nil)
        case (.working, .real):
            exchange()
            return .idle(until: bridge.deadline(port))
        case (.working, .virtual(let clock)): return step(clock)
        }
    }

    /// Waits for an event. A virtual clock jumps to it.
    package func idle(until deadline: Instant?) {
        let limit = [deadline, bridge.deadline(port)].compactMap { $0 }.min()
        switch clock {
        case .real(let clock):
            let arrival = PolledDescriptor(inputs.arrival.descriptor, .readable)
            follow()
            wait(for: limit.map { $0 - clock.now }, watching: [arrival] + bridge.interest(port).descriptors)
            inputs.arrival.drain()
        case .virtual(let clock):
            guard inputs.isEmpty else { return }
            clock.advanceToNextEvent(noLaterThan: limit)
        }
    }
}

// MARK: On a real clock

extension FirmwareSurface {
    private func exchange() {
        follow()
        hear()
        guard case .working = condition else { return }
        let said = bridge.service(hearing: fromRadio, at: clock.now, port)
        fromRadio = []
        machine?.radio.send(said)
        machine?.bench.send((core.question() ?? []) + nextInputs())
    }

    /// Frames with as many inputs as the board has room for. Tells the radio that the wearer has acted.
    private func nextInputs() -> [UInt8] {
        let frames = core.inputs(from: inputs)
        if !frames.isEmpty { port.wearerActed(at: clock.now) }
        return frames
    }

    /// Advances the clock to this machine's time, because the board runs freely.
    private func follow() {
        if case .real(let clock) = clock { clock.advance(to: clock.outside) }
    }

    private func hear() {
        guard let news = machine?.exchange() else { return }
        console.hear(news.text)
        // Bytes that do not fit are dropped, as on a serial line without a reader. The frames on that line are numbered and
        // checked.
        if fromRadio.count + news.radio.count <= RadioBridge.mostUnheard { fromRadio += news.radio }
        radioHeard &+= UInt32(truncatingIfNeeded: news.radio.count)
        core.hear(panel: news.panel, at: clock.now)
        core.hear(bench: news.bench, at: clock.now)
        switch news.progress {
        case .running: break
        case .ended(let end): fail("\(end)")
        }
    }

    private func fail(_ what: String) {
        condition = .failed(reason: console.summary.map { "\(what): \($0)" } ?? what)
        machine = nil
    }

    private func wait(for length: Microseconds?, watching others: [PolledDescriptor] = []) {
        var watched = others + (machine?.interest ?? [])
        PolledDescriptor.wait(for: &watched, microseconds: PolledDescriptor.wholeMilliseconds(length?.count))
    }
}

// MARK: On a virtual clock

extension FirmwareSurface {
    /// The time after which a watch with hanging firmware ends. It is minutes, because a busy machine gives QEMU little time.
    private static var patience: Microseconds { .seconds(240) }

    /// Runs a board that has work until it is idle.
    private func step(_ clock: VirtualClock) -> NextStep {
        toRadio += bridge.service(hearing: fromRadio, at: clock.now, port)
        fromRadio = []
        let inputs = nextInputs()
        let deadline = core.idle?.deadline
        guard !toRadio.isEmpty || !inputs.isEmpty || deadline.map({ $0 <= clock.now }) == true else {
            return .idle(until: deadline)
        }
        machine?.radio.send(toRadio)
        radioSaid &+= UInt32(truncatingIfNeeded: toRadio.count)
        toRadio = []
        machine?.bench.send(inputs + core.go(at: clock.now, radioBytes: radioSaid))
        wait { $0.idle != nil }
        ask()
        guard let now = core.idle?.now else { return .idle(until: nil) }
        clock.advance(to: now)
        return .again
    }

    /// Asks the board for its screen. Waits for the answer, and for everything that the board has sent over its radio.
    private func ask() {
        while case .working = condition, !core.isDescribed {
            machine?.bench.send(core.question() ?? [])
            wait { $0.isToBeAsked || $0.isDescribed }
        }
        wait { core in
            core.idle.map { Int32(bitPattern: self.radioHeard &- $0.radioBytes) >= 0 } ?? true
        }
    }

    /// Reads from the emulator until `isMet` returns true, or until the emulator has ended.
    private func wait(until isMet: (FirmwareCore) -> Bool) {
        let start = HostClock()
        while true {
            hear()
            guard case .working = condition, !isMet(core) else { return }
            guard start.outside < Instant.start + FirmwareSurface.patience else {
                return fail("the firmware does not answer")
            }
            wait(for: .seconds(1))
        }
    }
}
