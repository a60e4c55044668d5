/// Measures the time from a tap to the update of the panel, for any firmware.
///
/// The finger comes down, and stays for 350 ms. If that changes nothing on the panel, the lab lifts the finger. The tap then
/// counts from the moment at which the touch controller reports the lift.
///
/// The lab runs each tap three times from the same state. The first run has the finger and the second does not, which shows
/// what the tap changes. The third run has the finger again, and records functions, buses and radio.
///
/// One machine is never touched. The lab copies this machine for each tap, so a tap has no effect on the next tap.
package struct FirmwareLab: Sendable {
    package struct Tap: Equatable, Sendable {
        /// The cycle at which the touch controller's interrupt line reported the finger. If only the lift changed the panel,
        /// this is the cycle at which the line reported the lift.
        package let touch: UInt64
        package let update: PanelUpdate
        /// The cycle at which the core sleeps again after the last pixel; nil if it stays awake for a second.
        package let asleepAgain: UInt64?
        package let time: TapTime
        package let charge: PartCharge

        /// The cycles from the touch to the last pixel.
        package var latency: UInt64 { update.last - touch }
        package var toFirst: UInt64 { update.first - touch }
    }

    /// The untouched machine, at the moment of the last tap.
    package private(set) var machine: Machine
    /// The cycle of the first call of `tap`; nil before that call. The spans of `tap` begin at this cycle.
    private var origin: UInt64?
    package private(set) var taps: [Tap] = []
    private var tree = CallTree(root: .program)
    private static let hold: UInt64 = Machine.cyclesPerSecond / 1_000 * 350
    private static let longest: UInt64 = 3 * Machine.cyclesPerSecond
    /// The fractional part of the golden ratio, times 2^64. Its multiples modulo 2^64 are evenly spread. They determine the
    /// taps' offsets within the spans.
    private static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

    package init(_ machine: Machine) {
        self.machine = machine
    }

    private static func run(_ machine: inout Machine, until cycle: UInt64, _ tap: Int) throws(FirmwareLabError) {
        var nothing = NoObserver()
        try run(&machine, until: cycle, tap, &nothing)
    }

    private static func run<Observer: FlowObserver>(
        _ machine: inout Machine, until cycle: UInt64, _ tap: Int, _ observer: inout Observer
    ) throws(FirmwareLabError) {
        let resets = machine.resets.count
        let stop = machine.run(until: cycle, &observer)
        if let fault = machine.takeFault() { throw .stopped(tap: tap, CrashReport.lines(fault, in: machine)) }
        if let stop { throw .stopped(tap: tap, [CrashReport.line(stop, in: machine)]) }
        guard let reset = machine.resets.dropFirst(resets).first else { return }
        throw .stopped(tap: tap, [CrashReport.line(reset, in: machine)])
    }

    /// Measures another tap, on a copy of the untouched machine, and appends it to `taps`. Time is divided into spans of
    /// `pause` cycles, and each span has one tap. The offsets of the taps within their spans are evenly spread.
    package mutating func tap(x: Int, y: Int, every pause: UInt64) throws(FirmwareLabError) {
        let number = taps.count + 1
        let start = origin ?? machine.now
        origin = start
        let phase = (UInt64(number) &* FirmwareLab.golden).multipliedFullWidth(by: pause).high
        try FirmwareLab.run(&machine, until: start + UInt64(number - 1) * pause + phase, number)
        _ = machine.part.board.takePanelWrites()
        var pair = Pair(touched: machine, still: machine, number: number)
        do throws(EmulatorError) { try pair.touched.apply(.touchDown(x: x, y: y)) } catch { throw .refused(error) }
        taps.append(try measure(&pair))
    }

    private mutating func measure(_ pair: inout Pair) throws(FirmwareLabError) -> Tap {
        var begin = pair.touched
        let known = begin.board.touchEdge
        var update = try pair.observe()
        guard pair.touched.board.touchEdge != known else {
            throw .noInterrupt(tap: pair.number, BusyLoop(pair.touched))
        }
        if update == nil {
            // The firmware may act when the finger leaves.
            pair.lift()
            begin = pair.touched
            update = try pair.observe()
        }
        guard let update else { throw .noUpdate(tap: pair.number, BusyLoop(pair.touched)) }
        return try follow(begin, update, pair.number)
    }

    /// Two copies of the machine: `touched` gets the tap, and `still` does not.
    private struct Pair {
        var touched: Machine
        var still: Machine
        let number: Int

        /// Runs both machines for the time `hold`. If the touch changes nothing on the panel in this time, the function returns
        /// nil. If the update has not settled in this time, the function lifts the finger, and runs the machines until the
        /// update settles.
        mutating func observe() throws(FirmwareLabError) -> PanelUpdate? {
            let start = touched.now
            var (writes, others): ([PanelWrite], [PanelWrite]) = ([], [])
            while touched.now < start + FirmwareLab.longest {
                try FirmwareLab.run(&touched, until: touched.now + FirmwareLab.hold, number)
                writes += touched.part.board.takePanelWrites()
                try FirmwareLab.run(&still, until: touched.now, number)
                others += still.part.board.takePanelWrites()
                switch PanelUpdate.outcome(touched: writes, untouched: others, until: touched.now) {
                case .none: return nil
                case .settled(let update): return update
                case .unsettled: lift()
                }
            }
            throw .neverSettles(tap: number)
        }

        /// Lifts the finger. Does nothing if the finger is already away.
        mutating func lift() { try? touched.apply(.touchUp) }
    }

    /// Runs a tap again, and records its functions, buses and radio. `begin` is the machine just after the finger came down. If
    /// only the lift changed the panel, `begin` is the machine just after the lift.
    private mutating func follow(_ begin: Machine, _ update: PanelUpdate, _ number: Int) throws(FirmwareLabError) -> Tap
    {
        var machine = begin
        machine.part.notesWork = true
        // The edge comes at the touch controller's next scan.
        let known = machine.board.touchEdge
        while machine.board.touchEdge == known, machine.now < update.first {
            try FirmwareLab.run(&machine, until: machine.now + Machine.cyclesPerSecond / 10_000, number)
        }
        guard let edge = machine.board.touchEdge, edge != known else { throw .noInterrupt(tap: number, nil) }
        machine = begin
        machine.part.notesWork = true
        try FirmwareLab.run(&machine, until: edge, number)
        let touched = machine
        var recorder = TapRecorder(machine.image.functions, of: machine.core)
        let lifting = begin.now + FirmwareLab.hold
        if update.last > lifting {
            try FirmwareLab.run(&machine, until: lifting, number, &recorder)
            try? machine.apply(.touchUp)
        }
        try FirmwareLab.run(&machine, until: update.last, number, &recorder)
        let updated = machine
        var watch = SleepWatch()
        let limit = machine.now + Machine.cyclesPerSecond
        while watch.start == nil, machine.now < limit {
            try FirmwareLab.run(&machine, until: machine.now + Machine.cyclesPerSecond / 1_000, number, &watch)
        }
        // A transfer is noted at its end, which may be after the last pixel.
        let work = machine.part.work
        tree.add(recorder.tree(updated.core))
        return Tap(
            touch: edge, update: update, asleepAgain: watch.start,
            time: TapTime(touched.now..<updated.now, recorder.sleeps, work, ticks: updated.ticks),
            charge: PartCharge(from: touched, to: updated, work))
    }

    /// The cycles that each function spent from touch to last pixel, summed over all taps.
    package var profile: CallProfile { NamedCalls(tree, SpentByPlace(of: tree), machine.image.functions).profile }

    /// Leaves the watch alone for 40 s, and then measures its mean current over 10 s, in microamperes.
    package func restCurrent() throws(FirmwareLabError) -> Double {
        var machine = machine
        try FirmwareLab.run(&machine, until: machine.now + 40 * Machine.cyclesPerSecond, taps.count)
        machine.part.notesWork = true
        let before = machine
        try FirmwareLab.run(&machine, until: machine.now + 10 * Machine.cyclesPerSecond, taps.count)
        return PartCharge(from: before, to: machine, machine.part.work).total / 10
    }
}

package enum FirmwareLabError: Error, Equatable {
    /// The touch controller reported nothing, for example because the firmware has put it to sleep.
    case noInterrupt(tap: Int, BusyLoop?)
    case noUpdate(tap: Int, BusyLoop?)
    /// The firmware still changed the panel 3 s after the touch or the lift.
    case neverSettles(tap: Int)
    /// The firmware faulted, was reset or ended. The first string is the reason. After a fault, the other strings are its
    /// report.
    case stopped(tap: Int, [String])
    case refused(EmulatorError)

    /// The registers and the callers at a fault; empty if the firmware did not fault.
    package var report: [String] {
        if case .stopped(_, let lines) = self { Array(lines.dropFirst()) } else { [] }
    }
}

extension FirmwareLabError: CustomStringConvertible {
    package var description: String {
        func words(_ busy: BusyLoop?) -> String { busy.map { "; \($0)" } ?? "" }
        return switch self {
        case .refused(let error): error.description
        case .noInterrupt(let tap, let busy):
            "tap \(tap): the touch controller reported nothing: wake the watch before the taps, as with 'button; wait 1s'"
                + words(busy)
        case .noUpdate(let tap, let busy):
            "tap \(tap): it changed nothing on the panel: check the place, and the script before it" + words(busy)
        case .neverSettles(let tap): "tap \(tap): the panel still changes after 3 s, so the update has no end"
        case .stopped(let tap, let lines): "tap \(tap): \(lines.first ?? "the firmware stopped")"
        }
    }
}

extension CallTree {
    /// Adds the calls of another tap, with their cycles.
    fileprivate mutating func add(_ other: CallTree) {
        var places = [0]
        for (place, node) in other.nodes.enumerated() {
            if place > 0 { places.append(child(node.subject, of: places[node.parent])) }
            spend(node.own, at: places[place])
        }
    }
}
