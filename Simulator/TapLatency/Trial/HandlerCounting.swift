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
        var count = HandlerCount(name: image.handlers[place].name, stages: [], stackBytes: 0)
        for (number, list) in HandlerCounting.lists.enumerated() {
            progress(number)
            let conditions = Conditions(
                profile: profile, items: list.items, taps: taps, seed: 1, database: max(list.items, 128),
                titles: list.titles, processor: .executed(image))
            try conditions.check(nil)
            let bench = try TapBench.make(ExecutedHandler(image, handler: place), under: conditions)
            var records: [TapRecord] = []
            for _ in 0..<taps {
                records.append(try bench.tap().record)
                if records.count > 1, bench.bench.work.instructions > HandlerCounting.patience { break }
            }
            HandlerCounting.add(records, on: list, to: &count.stages)
            count.stackBytes = max(count.stackBytes, bench.bench.work.stackBytes ?? 0)
        }
        return count
    }

    /// Adds what the stages of some taps have executed.
    private static func add(
        _ records: [TapRecord], on list: (items: Int, titles: TitleLength), to stages: inout [StageCount]
    ) {
        struct Key: Hashable {
            var name: String
            var placement: StagePlacement
        }
        var order: [Key] = []
        var spans: [Key: [(instructions: Int, cycles: Int, allowed: ClosedRange<Int>)]] = [:]
        for record in records {
            for (index, span) in record.stages.enumerated() {
                guard let instructions = span.instructions, let cycles = span.cycles, let allowed = span.allowedCycles
                else { continue }
                let key = Key(name: span.name, placement: index < record.immediateStages ? .immediate : .deferred)
                if spans[key] == nil { order.append(key) }
                spans[key, default: []].append((instructions, cycles, allowed))
            }
        }
        for key in order {
            guard let spans = spans[key], let worst = spans.max(by: { $0.cycles < $1.cycles }) else { continue }
            let found = StageCase(
                items: list.items, titles: list.titles,
                instructions: Double(spans.reduce(0) { $0 + $1.instructions }) / Double(spans.count),
                cycles: Double(spans.reduce(0) { $0 + $1.cycles }) / Double(spans.count),
                mostInstructions: spans.map(\.instructions).max() ?? worst.instructions, mostCycles: worst.cycles,
                allowedCycles: worst.allowed)
            if let index = stages.firstIndex(where: { $0.name == key.name && $0.placement == key.placement }) {
                stages[index].cases.append(found)
            } else {
                stages.append(StageCount(name: key.name, placement: key.placement, cases: [found]))
            }
        }
    }
}
