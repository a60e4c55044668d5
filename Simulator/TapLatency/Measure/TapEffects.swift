import DeviceModel
import Watch
import WatchLink

/// All that taps have done that anybody could notice: what the watch shows, lets the wearer feel, stores and sends.
struct TapEffects: Sendable, Equatable {
    /// The panel as each row was struck.
    var updates: [PanelFrame] = []
    /// What the complication said when each tap's stages were done.
    var complications: [ScreenDescription.Complication] = []
    /// The panel after each tap, when nothing was under way any more.
    var frames: [PanelFrame] = []
    /// What the screen said then.
    var screens: [ScreenDescription] = []
    /// What was felt.
    var haptics: [HapticPattern] = []
    /// What the phone has checked off.
    var checkOffs: [UInt32] = []
    /// What the watch knows after a restart, before it has met the phone again.
    var kept = ScreenDescription()

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
        try conditions.check()
        let handler = StageSequence(stages)
        return try StageGuard.run(conditions.limits) { () throws(TapLatencyError) in
            let bench = try TapBench(handler, stages: stages, under: conditions, describing: .all)
            var effects = TapEffects()
            for _ in 0..<conditions.taps {
                let seen = try bench.tap(.effects).seen
                if let complication = seen.complication { effects.complications.append(complication) }
                if let frame = seen.updatedFrame { effects.updates.append(frame) }
                effects.frames.append(bench.bench.snapshot.frame)
                effects.screens.append(bench.bench.screen.timeless)
            }
            effects.haptics = bench.bench.snapshot.haptics.pulses.map(\.pattern)
            effects.checkOffs = bench.bench.phone.checkOffs.map(\.id)
            try bench.restart()
            effects.kept = bench.bench.screen.timeless
            return effects
        }
    }
}

extension ScreenDescription {
    /// The same, whenever it is looked at: a handler that takes longer has not done anything else.
    fileprivate var timeless: ScreenDescription {
        var screen = self
        screen.time = ""
        return screen
    }
}

extension TapBench {
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
