/// Finds the declarations that nothing shipped uses.
struct DeadDeclarations {
    private let files: [FileNames]
    /// The names that the pages beside the sources use.
    private let documented: Set<String>
    /// What each type inherits from or conforms to, by the type's own name, without the types around it.
    private var ancestors: [String: Set<String>] = [:]

    /// The files of the tests, which are who a module of doubles is for.
    private let tests: [FileNames]

    /// Looks at the shipped files of `files`, and at the words of `pages`.
    init(_ files: [FileNames], pages: [Page]) {
        self.files = files.filter { $0.place != nil }
        tests = files.filter { $0.place == nil }
        documented = Set(
            pages.flatMap(\.lines).flatMap { line in
                line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            })
        for file in files {
            for (type, inherited) in file.inheritance {
                ancestors[lastPart(type), default: []].insert(lastPart(inherited))
            }
        }
    }

    /// The dead declarations, by file and line.
    func find() -> [Declaration] {
        var uses: [String: [Use]] = [:]
        for file in files {
            for reference in file.references {
                uses[reference.name, default: []].append(Use(path: file.path, reference: reference))
            }
        }
        var testedNames: Set<String> = []
        for file in tests { testedNames.formUnion(file.references.map(\.name)) }
        var dead: [Declaration] = []
        var candidates = files.flatMap { file in
            file.declarations.filter { declaration in
                if isNeeded(declaration) { return false }
                let isForTests = file.place?.moduleName.hasSuffix("Testing") == true
                return !(isForTests && names(of: declaration).contains(where: testedNames.contains))
            }
        }
        while true {
            // What only the dead use is dead.
            var extents: [String: [Range<Int>]] = [:]
            for declaration in dead { extents[declaration.path, default: []].append(declaration.extent) }
            let found = candidates.indices.filter { index in
                let declaration = candidates[index]
                return !names(of: declaration).contains { name in
                    (uses[name] ?? []).contains { use in
                        isUse(use, of: declaration)
                            && !(extents[use.path] ?? []).contains { $0.contains(use.reference.position) }
                    }
                }
            }
            if found.isEmpty { break }
            dead += found.map { candidates[$0] }
            for index in found.reversed() { candidates.remove(at: index) }
        }
        // The members of a dead type are not worth a line each.
        let whole = dead
        return whole.filter { declaration in
            !whole.contains { other in
                other.path == declaration.path && other.extent != declaration.extent
                    && other.extent.lowerBound <= declaration.extent.lowerBound
                    && other.extent.upperBound >= declaration.extent.upperBound
            }
        }.sorted { ($0.path, $0.line, $0.name) < ($1.path, $1.line, $1.name) }
    }

    private struct Use {
        let path: String
        let reference: Reference

        /// The labels of a call; nil where nothing is called.
        var labels: [String]? {
            switch reference.form {
            case .type, .nestedType: nil
            case .bare(let labels), .member(of: _, let labels): labels
            }
        }
    }

    /// The names by which `declaration` is used.
    private func names(of declaration: Declaration) -> [String] {
        switch declaration.kind {
        case .type, .function, .property, .enumCase: [declaration.name]
        case .initializer: [lastPart(declaration.owner ?? ""), "Self", "init"]
        }
    }

    private func isUse(_ use: Use, of declaration: Declaration) -> Bool {
        if use.path == declaration.path, declaration.extent.contains(use.reference.position) { return false }
        switch declaration.kind {
        case .type, .property, .enumCase: return true
        case .function: return declaration.matches(call: use.labels)
        case .initializer:
            switch use.reference.form {
            case .type, .nestedType: return false
            case .bare(let labels), .member(of: _, let labels):
                return labels != nil && declaration.matches(call: labels)
            }
        }
    }

    // MARK: What names do not show

    private func isNeeded(_ declaration: Declaration) -> Bool {
        if !declaration.marks.isEmpty || documented.contains(declaration.name) { return true }
        let inherited = declaration.owner.map { ancestors[lastPart($0)] ?? [] } ?? []
        if !inherited.isDisjoint(with: DeadDeclarations.foreignInterfaces) { return true }
        switch declaration.kind {
        case .type: return DeadDeclarations.foreign.contains(declaration.name)
        case .enumCase: return !inherited.isDisjoint(with: DeadDeclarations.caseMakers)
        case .property:
            return DeadDeclarations.foreign.contains(declaration.name)
                || !inherited.isDisjoint(with: DeadDeclarations.wholeReaders)
        case .function(let labels):
            let isOperator = declaration.name.first.map { !$0.isLetter && $0 != "_" } ?? true
            return isOperator || DeadDeclarations.foreign.contains(declaration.name)
                || labels.first == "into" && declaration.name == "hash"
        case .initializer(let labels):
            return labels.isEmpty || DeadDeclarations.foreignLabels.contains(labels.first ?? "")
        }
    }

    /// What makes cases of an enum without naming them.
    private static let caseMakers: Set<String> = [
        "CaseIterable", "Codable", "CodingKey", "Decodable", "Int", "Int32", "String", "UInt8", "UInt16", "UInt32",
    ]
    /// What reads all stored properties of a type without naming them.
    private static let wholeReaders: Set<String> = [
        "Codable", "Decodable", "Encodable", "FetchableRecord", "Hashable", "ParsableCommand", "AsyncParsableCommand",
        "ParsableArguments",
    ]
    /// Protocols of the standard library that ask for so much that their conformers have little else.
    private static let foreignInterfaces: Set<String> = [
        "Decoder", "Encoder", "KeyedDecodingContainerProtocol", "KeyedEncodingContainerProtocol",
        "SingleValueDecodingContainer", "SingleValueEncodingContainer", "UnkeyedDecodingContainer",
        "UnkeyedEncodingContainer",
    ]
    /// Requirements of the standard library's protocols and of those that we build on, which their callers do not name
    /// here.
    private static let foreign: Set<String> = [
        "AllCases", "AsyncIterator", "CodingKeys", "Element", "Failure", "Index", "Iterator", "RawValue",
        "StringLiteralType", "abstract", "allCases", "buildBlock", "buildPartialBlock", "callAsFunction", "codingPath",
        "configuration", "customMirror", "databaseTableName",
        "debugDescription", "deinit", "description", "encode", "endIndex", "errorDescription", "executor", "handle",
        "hash", "hashValue", "id", "index", "intValue", "log", "logLevel", "main", "makeAsyncIterator", "makeIterator",
        "metadata", "next", "rawValue", "run", "startIndex", "stringValue", "underestimatedCount", "unownedExecutor",
        "userInfo", "validate", "wrappedValue",
    ]
    /// First labels of initialisers that such protocols require.
    private static let foreignLabels: Set<String> = [
        "arrayLiteral", "booleanLiteral", "dictionaryLiteral", "from", "integerLiteral", "intValue", "rawValue", "row",
        "stringInterpolation", "stringLiteral", "stringValue",
    ]
}

/// The name without what stands before the last dot, and without what follows a `<`.
private func lastPart(_ name: String) -> String {
    let plain = name.split(separator: "<").first ?? ""
    return String(plain.split(separator: ".").last ?? "")
}
