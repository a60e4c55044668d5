import Watch

extension TapEffects {
    /// What these taps do and those of another handler, on the same rows of the same lists, do not.
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

extension Measurement {
    /// What is missing from the shipping handler without its stage of the same name, or with such a stage before it and without. The
    /// last item of a list is tapped, and rows of a list that is longer than the panel.
    static func absence(of stage: PlacedStage, under conditions: Conditions) throws(TapLatencyError) -> StageAbsence {
        let shipping = StageSequence(of: ShippingHandler())?.stages ?? []
        let others = shipping.filter { $0.name != stage.name }
        let whole = others.count == shipping.count ? [stage] + shipping : shipping
        var missing: Set<MissingEffect> = []
        // While nothing of the last item's tap reaches the phone: its answer would have the panel drawn again.
        for (items, loss) in [(1, 1.0), (8, 0)] {
            var few = conditions
            (few.items, few.database, few.taps, few.loss) = (items, items, 2, loss)
            let all = try effects(of: whole, under: few)
            missing.formUnion(all.missing(in: try effects(of: others, under: few)))
        }
        // What is said by name needs no "something else".
        if missing.count > 1 { missing.remove(.other) }
        return StageAbsence(stage: stage.name, missing: MissingEffect.allCases.filter(missing.contains))
    }
}
