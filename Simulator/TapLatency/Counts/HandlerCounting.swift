import DeviceModel
import Emulator
import Watch

/// Counts the instructions and cycles of a handler by executing a firmware image in the emulator.
package struct HandlerCounting: Sendable {
    private let image: LabImage
    private let profile: DeviceProfile
    private let taps: Int

    private static let lists: [(items: Int, titles: TitleLength)] = [8, 32, 128].flatMap { items in
        [TitleLength.short, .long].map { (items, $0) }
    }
    /// Once the watch has executed this number of instructions for a list, the list's remaining taps are left out. Each list
    /// gets at least two taps.
    private static let enoughInstructions = 200_000_000
    package static var listCount: Int { lists.count }

    package init(_ image: LabImage, on profile: DeviceProfile, taps: Int) {
        self.image = image
        self.profile = profile
        self.taps = taps
    }

    /// Counts a handler on each list. `place` is the handler's index in the image. Calls `progress` before each list, with the
    /// number of the list, from 0.
    package func count(
        handler place: Int, progress: (Int) -> Void = { _ in }
    ) throws(TapLatencyError) -> HandlerCount {
        var count = HandlerCount(name: image.handlers[place].name, stages: [], around: [], stackBytes: 0)
        for (number, list) in HandlerCounting.lists.enumerated() {
            progress(number)
            do throws(TapLatencyError) {
                try add(list, of: place, to: &count)
            } catch {
                guard HandlerCounting.isStop(error) else { throw error }
                throw .handlerNotCounted(
                    count.name, "\(list.items) items with \(list.titles.rawValue) titles: \(error)")
            }
        }
        return count
    }

    private static func isStop(_ error: TapLatencyError) -> Bool {
        if case .notExecuted = error { return true }
        if case .messageNotExecuted = error { return true }
        return false
    }

    private func add(
        _ list: (items: Int, titles: TitleLength), of place: Int, to count: inout HandlerCount
    ) throws(TapLatencyError) {
        var conditions = Conditions(
            profile: profile, items: list.items, taps: taps, database: max(list.items, 128), processor: .executed(image)
        )
        conditions.titles = list.titles
        try conditions.check()
        let bench = try TapBench.make(ExecutedHandler(image, reporting: place), under: conditions)
        let runtime = CountTable.measured(items: conditions.listLength)
        var stages = CountedRuns()
        var around = CountedRuns()
        for tap in 0..<taps {
            let before = bench.handlerCode
            let record = try bench.tap().record
            let own = bench.handlerCode.since(before)
            stages.add(stagesOf: record, immediate: own.immediateStages)
            around.add(own, stages: record.stages.count, report: runtime[.between])
            if tap > 0, bench.bench.work.instructions > HandlerCounting.enoughInstructions { break }
        }
        stages.add(to: &count.stages, on: list)
        around.add(to: &count.around, on: list)
        let trial = try MessageTrial(image, handler: place, under: conditions)
        try trial.run()
        for (title, executed) in trial.executed.sorted(by: { $0.key < $1.key }) {
            count.messages.add(StageCase(executed, runs: executed.count, on: list), of: title, .deferred)
        }
        count.stackBytes = max(count.stackBytes, bench.bench.work.stackBytes ?? 0, trial.stackBytes)
    }
}

extension [StageCount] {
    fileprivate mutating func add(_ found: StageCase?, of name: String, _ placement: StagePlacement) {
        guard let found else { return }
        if let index = firstIndex(where: { $0.name == name && $0.placement == placement }) {
            self[index].cases.append(found)
        } else {
            append(StageCount(name: name, placement: placement, cases: [found]))
        }
    }
}

extension StageCase {
    /// Combines the counts of several taps, or of several runs of a message's work. Nil if they executed no instruction.
    fileprivate init?(_ executed: [ExecutedCode], runs: Int, on list: (items: Int, titles: TitleLength)) {
        guard let worst = executed.max(by: { $0.cycles < $1.cycles }), worst.instructions > 0 else { return nil }
        let sum = executed.reduce(.zero) { $0 + $1 }
        self.init(
            items: list.items, titles: list.titles, runs: runs,
            instructions: Double(sum.instructions) / Double(executed.count),
            cycles: Double(sum.cycles) / Double(executed.count),
            mostInstructions: executed.map(\.instructions).max() ?? worst.instructions, mostCycles: worst.cycles,
            allowedCycles: worst.fewestCycles...worst.mostCycles)
    }
}

private struct CountedRuns {
    private struct Runs {
        var count = 0
        var code = ExecutedCode.zero
    }

    /// The stages in the order in which they first ran.
    private var order: [LabImage.Stage] = []
    private var taps: [LabImage.Stage: [Runs]] = [:]

    private mutating func add(_ runs: Runs, _ key: LabImage.Stage) {
        if taps[key] == nil { order.append(key) }
        taps[key, default: []].append(runs)
    }

    /// - Parameter immediate: the number of stages that ran before the panel was updated.
    mutating func add(stagesOf record: TapRecord, immediate: Int) {
        var present: [(key: LabImage.Stage, runs: Runs)] = []
        for (index, span) in record.stages.enumerated() {
            guard let instructions = span.instructions, let cycles = span.cycles, let allowed = span.allowedCycles
            else { continue }
            let key = LabImage.Stage(name: span.name, placement: index < immediate ? .immediate : .deferred)
            let place = present.firstIndex { $0.key == key } ?? present.count
            if place == present.count { present.append((key, Runs())) }
            present[place].runs.count += 1
            present[place].runs.code += ExecutedCode(
                instructions: instructions, cycles: cycles, fewestCycles: allowed.lowerBound,
                mostCycles: allowed.upperBound)
        }
        for (key, runs) in present { add(runs, key) }
    }

    /// Adds the code that the handler executed outside its stages during a tap. For each stage of the tap, subtracts `report`:
    /// the runtime's code between two stages.
    mutating func add(_ own: HandlerCode, stages: Int, report: CodeCount) {
        let immediate = own.immediate.less(own.immediateStages * report)
        let deferred = own.deferred.less((stages - own.immediateStages) * report)
        for (code, placement) in [(immediate, StagePlacement.immediate), (deferred, .deferred)] {
            add(Runs(count: 1, code: code), LabImage.Stage(name: HandlerTrial.aroundStages, placement: placement))
        }
    }

    func add(to stages: inout [StageCount], on list: (items: Int, titles: TitleLength)) {
        for key in order {
            let taps = taps[key] ?? []
            let most = taps.map(\.count).max() ?? 1
            stages.add(StageCase(taps.map(\.code), runs: most, on: list), of: key.name, key.placement)
        }
    }
}

extension ExecutedCode {
    /// Returns the code without `part`; zero if the difference is not positive.
    fileprivate func less(_ part: CodeCount) -> ExecutedCode {
        let rest =
            self
            - ExecutedCode(
                instructions: part.instructions, cycles: part.cycles, fewestCycles: part.cycles,
                mostCycles: part.cycles)
        guard rest.instructions > 0, rest.fewestCycles > 0 else { return .zero }
        return rest
    }
}
