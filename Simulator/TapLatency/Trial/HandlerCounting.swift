import DeviceModel
import MachineWatch
import Watch

/// Counts what a handler of an image executes, by executing it.
package struct HandlerCounting: Sendable {
    private let image: LabImage
    private let profile: DeviceProfile
    private let taps: Int

    /// The lists that are counted on.
    private static let lists: [(items: Int, titles: TitleLength)] = [8, 32, 128].flatMap { items in
        [TitleLength.short, .long].map { (items, $0) }
    }
    /// After this number of instructions two taps on a list are enough.
    private static let patience = 200_000_000
    /// How many lists a handler is counted on.
    package static var listCount: Int { lists.count }

    /// - Parameters:
    ///   - image: the image, on the processor of the profile.
    ///   - profile: the device.
    ///   - taps: how many taps on each list, 1 to 100,000.
    package init(_ image: LabImage, on profile: DeviceProfile, taps: Int) {
        self.image = image
        self.profile = profile
        self.taps = taps
    }

    /// Counts the handler at a place of the image.
    ///
    /// - Parameter progress: called before each list, with its number from 0.
    /// - Throws: which stage does not come to its end, and why.
    package func count(
        handler place: Int, progress: (Int) -> Void = { _ in }
    ) throws(TapLatencyError) -> HandlerCount {
        var count = HandlerCount(name: image.handlers[place].name, stages: [], around: [], stackBytes: 0)
        for (number, list) in HandlerCounting.lists.enumerated() {
            progress(number)
            do throws(TapLatencyError) {
                try add(list, of: place, to: &count)
            } catch .notExecuted(let stage, let why) {
                let failure = TapLatencyError.notExecuted(stage: stage, why)
                throw .handlerNotCounted(
                    count.name, "\(list.items) items with \(list.titles.rawValue) titles: \(failure)")
            } catch {
                throw error
            }
        }
        return count
    }

    /// Adds what a handler executes on a list to its count.
    private func add(
        _ list: (items: Int, titles: TitleLength), of place: Int, to count: inout HandlerCount
    ) throws(TapLatencyError) {
        let conditions = Conditions(
            profile: profile, items: list.items, taps: taps, seed: 1, database: max(list.items, 128),
            titles: list.titles, processor: .executed(image))
        try conditions.check(nil)
        let bench = try TapBench.make(ExecutedHandler(image, reporting: place), under: conditions)
        let runtime = CountTable.measured(items: conditions.listLength)
        var stages = CountedRuns()
        var around = CountedRuns()
        for tap in 0..<taps {
            let before = bench.handlerCode
            let record = try bench.tap().record
            stages.add(stagesOf: record)
            around.add(bench.handlerCode.since(before).without(runtime.between, for: record))
            if tap > 0, bench.bench.work.instructions > HandlerCounting.patience { break }
        }
        stages.add(to: &count.stages, on: list)
        around.add(to: &count.around, on: list)
        count.stackBytes = max(count.stackBytes, bench.bench.work.stackBytes ?? 0)
    }
}

/// What was executed in taps on one list, stage by stage.
private struct CountedRuns {
    private struct Key: Hashable {
        var name: String
        var placement: StagePlacement
    }

    /// In the order in which they ran first.
    private var order: [Key] = []
    private var runs: [Key: [ExecutedCode]] = [:]

    private mutating func add(_ code: ExecutedCode, _ name: String, _ placement: StagePlacement) {
        let key = Key(name: name, placement: placement)
        if runs[key] == nil { order.append(key) }
        runs[key, default: []].append(code)
    }

    /// Adds the stages of a tap.
    mutating func add(stagesOf record: TapRecord) {
        for (index, span) in record.stages.enumerated() {
            guard let instructions = span.instructions, let cycles = span.cycles, let allowed = span.allowedCycles
            else { continue }
            let code = ExecutedCode(
                instructions: instructions, cycles: cycles, fewestCycles: allowed.lowerBound,
                mostCycles: allowed.upperBound)
            add(code, span.name, index < record.immediateStages ? .immediate : .deferred)
        }
    }

    /// Adds what a tap has executed around its stages.
    mutating func add(_ code: (immediate: ExecutedCode, deferred: ExecutedCode)) {
        add(code.immediate, HandlerTrial.aroundStages, .immediate)
        add(code.deferred, HandlerTrial.aroundStages, .deferred)
    }

    /// Adds a case of the list to the counts of each stage that has executed anything.
    func add(to stages: inout [StageCount], on list: (items: Int, titles: TitleLength)) {
        for key in order {
            guard let runs = runs[key], let worst = runs.max(by: { $0.cycles < $1.cycles }), worst.instructions > 0
            else { continue }
            let sum = runs.reduce(.zero, +)
            let found = StageCase(
                items: list.items, titles: list.titles, instructions: Double(sum.instructions) / Double(runs.count),
                cycles: Double(sum.cycles) / Double(runs.count),
                mostInstructions: runs.map(\.instructions).max() ?? worst.instructions, mostCycles: worst.cycles,
                allowedCycles: worst.fewestCycles...worst.mostCycles)
            if let index = stages.firstIndex(where: { $0.name == key.name && $0.placement == key.placement }) {
                stages[index].cases.append(found)
            } else {
                stages.append(StageCount(name: key.name, placement: key.placement, cases: [found]))
            }
        }
    }
}

extension HandlerCode {
    /// Without what the runtime executes between the stages of a tap, to report them.
    ///
    /// - Parameter between: that of one stage.
    fileprivate func without(
        _ between: CodeCount, for record: TapRecord
    ) -> (immediate: ExecutedCode, deferred: ExecutedCode) {
        let deferred = record.stages.count - record.immediateStages
        return (immediate.less(record.immediateStages * between), self.deferred.less(deferred * between))
    }
}

extension ExecutedCode {
    /// Less a part of it, and never less than nothing.
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
