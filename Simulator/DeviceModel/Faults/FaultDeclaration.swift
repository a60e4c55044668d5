import WatchLink

/// A fault, as the script parser, the terminal's menu, the help and the documentation's table know it. `Fault` lists
/// them all.
struct FaultDeclaration: Sendable {
    /// What follows the fault's word in a script.
    enum Argument: Sendable {
        case none(FaultChange)
        case number(name: String, ClosedRange<UInt32>, @Sendable (UInt32) -> FaultChange)
        case optionalDuration(example: String, without: FaultChange, @Sendable (Microseconds) -> FaultChange)
        case choice([(word: String, change: FaultChange)])
    }

    /// A word of the script language with its argument.
    struct Form: Sendable {
        /// The word after `fault`.
        var word: String
        var argument: Argument
    }

    /// The key that sets it to its next size while the terminal shows the faults.
    var key: String
    /// Its name in the menu, at most 14 characters.
    var label: String
    /// The script commands that change it.
    var forms: [Form]
    /// Its effect, for the documentation.
    var effect: String
    /// Its present size for the menu; empty for a fault without sizes.
    var size: @Sendable (WatchFaults) -> String
    /// The change that sets it to the size after the present one.
    var next: @Sendable (WatchFaults) -> FaultChange
    /// The notice in the side panel; nil while the fault is not active.
    var notice: @Sendable (WatchFaults) -> String?
}

extension FaultDeclaration.Form {
    /// The form in a list of all forms, such as `loss PERCENT`.
    var synopsis: String {
        switch argument {
        case .none: word
        case .number(let name, _, _): "\(word) \(name)"
        case .optionalDuration: "\(word) [DURATION]"
        case .choice(let choices): "\(word) \(choices.map(\.word).joined(separator: "|"))"
        }
    }

    /// The allowed form, for an error message.
    var allowed: String {
        switch argument {
        case .none: "fault \(word) alone"
        case .number(let name, let range, _):
            "fault \(word) \(name) with \(name) \(range.lowerBound) to \(range.upperBound)"
        case .optionalDuration(let example, _, _): "fault \(word), or fault \(word) DURATION such as \(example)"
        case .choice(let choices): choices.map { "fault \(word) \($0.word)" }.joined(separator: " or ")
        }
    }

    /// The form in a column of the documentation's table.
    var columns: [String] {
        switch argument {
        case .none: ["`fault \(word)`"]
        case .number(let name, _, _): ["`fault \(word) \(name)`"]
        case .optionalDuration(let example, _, _): ["`fault \(word)`", "`fault \(word) \(example)`"]
        case .choice(let choices):
            choices.enumerated().map { $0.offset == 0 ? "`fault \(word) \($0.element.word)`" : "`\($0.element.word)`" }
        }
    }
}
