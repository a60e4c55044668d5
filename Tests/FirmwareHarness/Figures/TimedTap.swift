import FirmwareWatch
import Watch
import WatchLink

/// The reports of a tap on the first row, and those of the row's removal, each with the timer's ticks before.
struct TimedTap {
    /// Ticks of the board's timer when the finger touched, and what was reported until the watch was idle again.
    var tap: (ticks: UInt32, reports: [FirmwareReport])
    /// The same of the row's removal, 250 ms after the touch.
    var removal: (ticks: UInt32, reports: [FirmwareReport])

    /// A tap on a list of `items` items.
    init(_ setting: HarnessSetting, items: Int) throws {
        let machine = try setting.machine(items: items)
        // The clock is set forward to the touch: it is exact to the tick.
        let touched = machine.idle.now + .milliseconds(1)
        var (ticks, start) = (machine.idle.ticks, machine.reports.count)
        machine.tell(.input(firstRow))
        machine.goOn(after: .milliseconds(1))
        try machine.awaitIdle()
        tap = (ticks, Array(machine.reports[start...]))
        (ticks, start) = (machine.idle.ticks, machine.reports.count)
        machine.goOn(after: touched + .milliseconds(250) - machine.idle.now)
        try machine.awaitIdle()
        removal = (ticks, Array(machine.reports[start...]))
    }

    /// The lines that the removal hands to the panel until the row is gone.
    var removedLines: UInt32 {
        var sum: UInt32 = 0
        for report in removal.reports {
            switch report {
            case .lines(let lines, _, _, _): sum += lines
            case .mark(.settled, _, _, _): return sum
            case .stageBegan, .stageEnded, .mark, .haptic, .screenChanged, .journalFailed, .idle, .described, .memory,
                .ready, .pairing:
                break
            }
        }
        return sum
    }
}

/// A run of lines that were handed to the panel.
struct LineRun {
    var lines: UInt32
    var first: UInt32
    var last: UInt32
    var awaited: UInt32

    /// The first run among reports.
    init(in reports: [FirmwareReport]) throws {
        for report in reports {
            guard case .lines(let lines, let first, let last, let awaited) = report else { continue }
            (self.lines, self.first, self.last, self.awaited) = (lines, first, last, awaited)
            return
        }
        throw HarnessFailure("no line was handed to the panel")
    }
}
