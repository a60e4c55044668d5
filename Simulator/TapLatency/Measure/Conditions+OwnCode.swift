import DeviceModel
import Watch

extension Conditions {
    /// The same for a handler of this type: with what was counted of its own code on lists as long as these.
    func of<Handler: TapHandler>(_ handler: Handler) -> Conditions {
        var conditions = self
        if StageSequence.isComposition(handler) || Conditions.isOwn(handler) {
            conditions.ownCode = .none
        } else if let found = counted(Handler.self) {
            if MemoryLayout<Handler>.size > 0 {
                conditions.ownCode = .dependsOnValue
            } else if let sequence = StageSequence(of: handler), !found.ran(sequence.stages) {
                conditions.ownCode = .runsOtherStages
            } else {
                conditions.ownCode = .counted(found)
            }
        } else {
            conditions.ownCode = .notCounted
        }
        return conditions
    }

    /// What of a handler's own code is charged on lists as long as these.
    func aroundStages(of handler: HandlerCount) -> CountTable.AroundStages {
        func code(_ placement: StagePlacement) -> CodeCount {
            let worst = handler.around.first { $0.placement == placement }?.worst(items: items)
            return worst?.count(on: profile.processor) ?? .zero
        }
        return CountTable.AroundStages(immediate: code(.immediate), deferred: code(.deferred))
    }

    /// What of a handler's own code comes before the update.
    var ownTime: UInt64 {
        switch ownCode {
        case .none, .notCounted, .dependsOnValue, .runsOtherStages: 0
        case .counted(let handler):
            profile.processor.time(cycles: profile.processor.cycles(of: aroundStages(of: handler).immediate)).count
        }
    }

    /// What was counted of a handler, on this processor.
    private func counted(_ handler: any TapHandler.Type) -> HandlerCount? {
        guard let counts, counts.isCounted(on: profile.processor) else { return nil }
        return counts.handlers.first { $0.name == String(reflecting: handler) }
    }

    /// Whether it is one of Tapline's own, which compose their stages and do nothing besides.
    private static func isOwn(_ handler: some TapHandler) -> Bool {
        handler is ShippingHandler || handler is LegacyHandler || handler is EveryStage
    }
}
