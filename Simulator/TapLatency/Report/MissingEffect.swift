/// Something that the taps of a handler do, said of one that does not do it.
package enum MissingEffect: String, Sendable, Codable, CaseIterable {
    case strike = "the row is not struck through"
    case model = "the item still counts"
    case titleBar = "the title bar keeps the old count"
    case complication = "the complication still names the item"
    case removal = "the row stays"
    case placeholder = "an empty list does not say that all is done"
    case haptic = "nothing is felt"
    case message = "the phone does not learn of it"
    /// None of these, and something all the same.
    case other = "the watch shows, stores or sends something else"
}

/// What is missing from the whole handler without a stage.
package struct StageAbsence: Sendable, Codable, Equatable {
    /// The stage's own name.
    package var stage: String
    /// Nothing is missing where there are none.
    package var missing: [MissingEffect]

    /// A sentence.
    package var sentence: String {
        let effects = missing.isEmpty ? "nothing is missing" : missing.map(\.rawValue).joined(separator: ", ")
        return "the whole handler without '\(stage)': \(effects)"
    }
}
