extension ScriptParser {
    /// Reads what follows `fault`.
    static func fault(_ words: inout ScriptWords) throws(ScriptError.Problem) -> FaultChange {
        let form = try words.one(FaultTable.allowed) { word in FaultTable.forms.first { $0.word == word } }
        return try form.read(&words)
    }
}

extension FaultDeclaration.Form {
    /// Reads the argument.
    fileprivate func read(_ words: inout ScriptWords) throws(ScriptError.Problem) -> FaultChange {
        switch argument {
        case .none(let change):
            try words.end(allowed)
            return change
        case .number(_, let range, let change):
            return change(try words.only(allowed) { UInt32($0).flatMap { range.contains($0) ? $0 : nil } })
        case .optionalDuration(_, let without, let change):
            guard !words.rest.isEmpty else { return without }
            return change(try words.only(allowed) { ScriptParser.duration($0) })
        case .choice(let choices):
            return try words.only(allowed) { word in choices.first { $0.word == word }?.change }
        }
    }
}
