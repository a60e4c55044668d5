import DeviceModel
import Emulator
import Watch
import WatchLink

/// What a watch shows, plays, stores and sends because of a series of taps. The lab compares the effects of two handlers.
struct TapEffects: Sendable, Equatable {
    /// The panel's pixels when each tap reached the mark `updated`.
    var updates: [[UInt8]] = []
    var struckRows = 0
    /// What the complication shows after each tap, when all stages of the tap have ended.
    var complications: [String] = []
    /// The number of open items after each tap, when all stages of the tap have ended.
    var remaining: [UInt32] = []
    /// The pixels of the title bar, at the same times as `remaining`.
    var titleBars: [[UInt8]] = []
    /// The panel's pixels after each tap, when all messages between watch and phone have been delivered.
    var frames: [[UInt8]] = []
    /// The screen as text, at the same times as `frames`.
    var screens: [String] = []
    /// The panel's pixels below the title bar, after each tap that emptied the list.
    var emptyLists: [[UInt8]] = []
    var haptics: [UInt8] = []
    var removals = 0
    var checkOffs: [UInt32] = []
    /// The screen as text after the watch has restarted, before the watch connects to the phone.
    var kept = ""

    static let titleBarBytes = RowGeometry.titleBarHeight * PanelGeometry.bytesPerLine

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

extension TapBench where Program: ~Copyable {
    func effects() throws(TapLatencyError) -> TapEffects {
        var effects = TapEffects()
        for _ in 0..<conditions.taps {
            let seen = try tap(keepingEffects: true).seen
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
            effects.frames.append(bench.snapshot.frame.bytes)
            effects.screens.append(bench.screen.timeless)
        }
        effects.haptics = bench.snapshot.haptics.pulses.map(\.pattern.rawValue)
        effects.checkOffs = bench.phone.checkOffs.map(\.id)
        try restart()
        effects.kept = bench.screen.timeless
        return effects
    }
}

extension ScreenDescription {
    /// The screen as text, without the time of day. That time depends on the handler's speed.
    fileprivate var timeless: String {
        var screen = self
        screen.time = ""
        return "\(screen)"
    }
}

extension TapBench where Program: ~Copyable {
    func restart() throws(TapLatencyError) {
        do throws(DeviceModelError) {
            try bench.restart()
        } catch {
            throw .board("\(error)")
        }
        tapsSoFar = 0
    }
}

extension TapEffects {
    func missing(in other: TapEffects) -> [MissingEffect] {
        let missing = MissingEffect.allCases.filter { effect in
            switch effect {
            case .strike: other.struckRows < struckRows
            case .model: other.remaining != remaining
            case .titleBar: other.titleBars != titleBars
            case .complication: other.complications != complications
            case .removal: other.removals < removals
            case .placeholder: other.emptyLists != emptyLists
            case .haptic: other.haptics.count < haptics.count
            case .message: other.checkOffs.count < checkOffs.count
            case .other: false
            }
        }
        return missing.isEmpty && self != other ? [.other] : missing
    }
}

extension Conditions {
    func effects(of stages: [PlacedStage]) throws(TapLatencyError) -> TapEffects {
        try bench(of: stages, describing: .all).effects()
    }

    /// Runs the shipping handler with `stage` and without it. Returns the effects that are missing without `stage`. Each run
    /// taps twice on a list of one item, and twice on a list that is longer than the panel.
    func absence(of stage: PlacedStage) throws(TapLatencyError) -> StageAbsence {
        let shipping = OwnHandler.shipping.stages
        let others = shipping.filter { $0.name != stage.name }
        let whole = others.count == shipping.count ? [stage] + shipping : shipping
        var missing: Set<MissingEffect> = []
        // With one item, all packets are lost until the row is removed. Otherwise the phone's answer would draw the panel
        // again.
        for (items, loss) in [(1, 1.0), (8, 0)] {
            var few = self
            (few.items, few.database, few.taps, few.loss) = (items, items, 2, loss)
            let all = try few.effects(of: whole)
            missing.formUnion(all.missing(in: try few.effects(of: others)))
        }
        if missing.count > 1 { missing.remove(.other) }
        return StageAbsence(stage: stage.name, missing: MissingEffect.allCases.filter(missing.contains))
    }
}
