import DeviceModel
import MachineWatch
import Watch

/// A condition that the table of counts was not counted under, so that it can be judged by it.
struct HeldOutCondition: Sendable {
    /// What is different, in a few words.
    let name: String
    let stages: [PlacedStage]
    let conditions: Conditions

    /// Taps of each, at most; of legacy, which takes a thousand times as long, only `fewTaps`.
    static let taps = 100
    static let fewTaps = 3

    /// All of them, on the device of `base` and its image, with no more taps than it has.
    static func all(_ base: Conditions) -> [HeldOutCondition] {
        var usual = base
        (usual.items, usual.database, usual.taps, usual.seed) = (128, 2_000, min(taps, base.taps), 1)
        return lists(usual) + titles(usual) + seeds(usual) + handlers(usual)
    }

    private init(_ name: String, _ conditions: Conditions, _ stages: [PlacedStage] = HeldOutCondition.shipping) {
        self.name = name
        self.conditions = conditions
        self.stages = stages
    }

    private static let shipping = StageSequence(of: ShippingHandler())?.stages ?? []
    private static let legacy = StageSequence(of: LegacyHandler())?.stages ?? []

    private static func lists(_ usual: Conditions) -> [HeldOutCondition] {
        let short = [5, 9, 20, 64, 99].map { items in
            HeldOutCondition(
                "\(FigureText(count: items, "item").plain)", usual.with { ($0.items, $0.database) = (items, items) })
        }
        let long = [300, 999, 1_234, 20_000].map { database in
            HeldOutCondition(
                "\(FigureText(count: database, "item").plain) on the phone", usual.with { $0.database = database })
        }
        return short + long
            + [HeldOutCondition("the row at the top", usual.with { $0.rows = .top })]
    }

    private static func titles(_ usual: Conditions) -> [HeldOutCondition] {
        [(128, 2_000), (20, 20)].flatMap { items, database in
            [TitleLength.short, .long].map { titles in
                HeldOutCondition(
                    "\(titles.rawValue) titles, \(items) items",
                    usual.with { ($0.items, $0.database, $0.titles) = (items, database, titles) })
            }
        }
    }

    private static func seeds(_ usual: Conditions) -> [HeldOutCondition] {
        [2, 3, 4].map { seed in HeldOutCondition("seed \(seed)", usual.with { $0.seed = seed }) }
    }

    private static func handlers(_ usual: Conditions) -> [HeldOutCondition] {
        let strike: [PlacedStage] = [
            .immediate(ListModel.self), .immediate(StrikeThrough.self), .immediate(RowRemoval.self),
        ]
        let all = shipping.map { PlacedStage.immediate($0.stage) }
        return [
            HeldOutCondition("the strike alone", usual, strike),
            HeldOutCondition("the message before the update", usual, strike + [.immediate(PhoneMessage.self)]),
            HeldOutCondition("the haptic before the update", usual, [.immediate(Haptic.self)] + strike),
            HeldOutCondition("the count before the update", usual, strike + [.immediate(RemainingCount.self)]),
            HeldOutCondition(
                "the complication before the update", usual, strike + [.immediate(ComplicationUpdate.self)]),
            HeldOutCondition("every stage before the update", usual, all),
            HeldOutCondition("the legacy handler", usual.with { $0.taps = min(fewTaps, $0.taps) }, legacy),
        ]
    }
}

extension Conditions {
    fileprivate func with(_ change: (inout Conditions) -> Void) -> Conditions {
        var changed = self
        change(&changed)
        return changed
    }
}

extension PredictionReport {
    /// Executes and predicts taps under every condition that the table was not counted under.
    ///
    /// - Parameters:
    ///   - base: the device, and the image that is executed.
    ///   - progress: called with the number of the conditions that are done, and of all.
    /// - Throws: which stage does not come to its end.
    init(_ base: Conditions, progress: (Int, Int) -> Void) throws(TapLatencyError) {
        let all = HeldOutCondition.all(base)
        // Legacy takes longest, and stands last.
        let executed = try SideBySide.run(Array(all.reversed()), progress: { progress($0, all.count) }) {
            (condition) throws(TapLatencyError) in
            try Measurement.report(of: condition.stages, called: condition.name, under: condition.conditions)
        }
        conditions = []
        for (condition, executed) in zip(all, executed.reversed()) {
            var counted = condition.conditions
            counted.processor = .counted
            let predicted = try Measurement.report(of: condition.stages, called: condition.name, under: counted)
            conditions.append(PredictedCondition(name: condition.name, predicted: predicted, executed: executed))
        }
    }
}
