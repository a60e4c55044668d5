import DeviceModel
import MachineWatch
import Watch
import WatchLink

/// All noticeable effects of taps: what the watch shows, plays on the haptic driver, stores and sends.
///
/// Effects are only compared, so screens are kept as text.
struct TapEffects: Sendable, Equatable {
    /// The bytes of the panel as each row was struck.
    var updates: [[UInt8]] = []
    /// Taps whose row was struck through on the panel when it was updated.
    var struckRows = 0
    /// What the complication said when each tap's stages were done.
    var complications: [String] = []
    /// The items that remained then, and the bytes of the title bar.
    var remaining: [UInt32] = []
    var titleBars: [[UInt8]] = []
    /// The bytes of the panel after each tap, when nothing was under way any more.
    var frames: [[UInt8]] = []
    /// What the screen said then.
    var screens: [String] = []
    /// What the panel shows below the title bar after each tap that has emptied the list.
    var emptyLists: [[UInt8]] = []
    /// The raw values of the patterns that were felt.
    var haptics: [UInt8] = []
    /// The taps after which the watch has removed the row by itself. The phone takes others off the list.
    var removals = 0
    /// What the phone has checked off.
    var checkOffs: [UInt32] = []
    /// What the watch knows after a restart, before it has met the phone again.
    var kept = ""

    /// The lines of the title bar, from the top of the panel.
    static let titleBarBytes = RowGeometry.titleBarHeight * PanelGeometry.bytesPerLine

    /// The taps after which both have the same to show, as a share.
    func agreement(with other: TapEffects) -> Double {
        guard !frames.isEmpty, frames.count == other.frames.count, complications.count == frames.count,
            other.complications.count == frames.count
        else { return 0 }
        let same = frames.indices.count { tap in
            frames[tap] == other.frames[tap] && screens[tap] == other.screens[tap]
                && complications[tap] == other.complications[tap]
        }
        return Double(same) / Double(frames.count)
    }
}

extension Measurement {
    /// What taps do, as many as the conditions say.
    static func effects(of stages: [PlacedStage], under conditions: Conditions) throws(TapLatencyError) -> TapEffects {
        try conditions.check(stages)
        switch conditions.processor {
        case .counted:
            return try effects(
                on: TapBench.make(StageSequence(stages), stages: stages, under: conditions, describing: .all))
        case .executed(let image):
            return try effects(of: ExecutedHandler(image, of: stages), under: conditions)
        }
    }

    /// What taps do with a handler of an image.
    static func effects(
        of handler: ExecutedHandler, under conditions: Conditions
    ) throws(TapLatencyError) -> TapEffects {
        try effects(on: TapBench.make(handler, under: conditions))
    }

    private static func effects<Program: WatchProgram & ~Copyable>(
        on bench: TapBench<Program>
    ) throws(TapLatencyError) -> TapEffects {
        var effects = TapEffects()
        for _ in 0..<bench.conditions.taps {
            let seen = try bench.tap(.effects).seen
            if let done = seen.done {
                effects.complications.append("\(done.screen.complication)")
                effects.remaining.append(done.screen.remaining)
                effects.titleBars.append(Array(done.frame.bytes.prefix(TapEffects.titleBarBytes)))
            }
            if let frame = seen.updatedFrame { effects.updates.append(frame.bytes) }
            if seen.wasStruck { effects.struckRows += 1 }
            if seen.isSettled { effects.removals += 1 }
            if let empty = seen.emptyList {
                effects.emptyLists.append(Array(empty.bytes.dropFirst(TapEffects.titleBarBytes)))
            }
            effects.frames.append(bench.bench.snapshot.frame.bytes)
            effects.screens.append(bench.bench.screen.timeless)
        }
        effects.haptics = bench.bench.snapshot.haptics.pulses.map(\.pattern.rawValue)
        effects.checkOffs = bench.bench.phone.checkOffs.map(\.id)
        try bench.restart()
        effects.kept = bench.bench.screen.timeless
        return effects
    }
}

extension ScreenDescription {
    /// The same, whenever it is looked at: a handler that takes longer has not done anything else.
    fileprivate var timeless: String {
        var screen = self
        screen.time = ""
        return "\(screen)"
    }
}

extension TapBench where Program: ~Copyable {
    /// Takes the power away and gives it back.
    func restart() throws(TapLatencyError) {
        do throws(DeviceModelError) {
            try bench.restart()
        } catch {
            throw .board("\(error)")
        }
        tapsSoFar = 0
    }
}
