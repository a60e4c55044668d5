extension ScriptParser {
    /// Reads what follows `fault`.
    static func fault(_ words: inout ScriptWords) throws(ScriptError.Problem) -> FaultChange {
        let form = try words.one(FaultTable.allowed) { word in FaultTable.forms.first { $0.word == word } }
        return try form.read(&words)
    }
}
