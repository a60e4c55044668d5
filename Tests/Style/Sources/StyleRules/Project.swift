import SwiftSyntax

/// What a rule has to know of all files at once.
public struct Project {
    /// An enum of ours: its name and the names of its cases.
    struct OwnEnum {
        let name: String
        var cases: Set<String>
    }

    /// The enums that the files declare. Two of one name are two entries.
    let enums: [OwnEnum]

    /// The enums that the tests declare: in a test, their cases look like ours.
    let testEnums: [OwnEnum]

    /// For each struct that the files declare, the names of its static properties: a raw value with names looks like an
    /// enum where it is switched over.
    let namedValues: [String: Set<String>]

    /// For each module, the files that import it, in the order of their paths.
    let importers: [String: [String]]

    /// Which folders of the shipped modules refer to which.
    let folderGraph: FolderGraph

    /// The declarations of the shipped modules that nothing shipped uses.
    let dead: [Declaration]

    /// The types that modules offer to others, by name: where each is declared.
    let offeredTypes: [String: [Declaration]]

    /// The pages beside the sources.
    let pages: [Page]

    /// The scripts of the shell.
    let scripts: [Script]

    /// The files that a page may name.
    let tree: FileTree

    /// What grows in the shipped modules of the host.
    let buffers: [GrowingBuffer]

    /// The names of the functions, computed properties and initialisers that each shipped file declares, by path.
    let functions: [String: Set<String>]

    /// Gathers what `files` declare. `pages` are the pages beside the sources; `tree` holds the files that they may name.
    public init(
        _ files: [SourceFile], pages: [Page] = [], scripts: [Script] = [], tree: FileTree = FileTree(files: [])
    ) {
        self.pages = pages
        self.scripts = scripts
        self.tree = tree
        buffers = files.filter { $0.path.hasPrefix("Sources/") || $0.path.hasPrefix("Simulator/") }
            .flatMap(GrowingBuffer.all)
        let collector = EnumCollector(viewMode: .sourceAccurate)
        let testCollector = EnumCollector(viewMode: .sourceAccurate)
        var importers: [String: [String]] = [:]
        for file in files.sorted(by: { $0.path < $1.path }) {
            // A test's enum is not the product's: its cases would make a foreign switch look like one of ours.
            (file.path.hasPrefix("Tests/") ? testCollector : collector).walk(file.tree)
            for (module, _) in imports(of: file) { importers[module, default: []].append(file.path) }
        }
        enums = collector.enums
        testEnums = testCollector.enums
        namedValues = collector.namedValues
        self.importers = importers
        let names = files.map(FileNames.init)
        let shipped = names.filter { $0.place != nil }
        offeredTypes = Dictionary(
            grouping: shipped.flatMap(\.declarations).filter {
                $0.isType && $0.home == .top && $0.reach == .beyondModule
            },
            by: \.name)
        dead = DeadDeclarations(names, pages: pages).find()
        functions = Dictionary(
            uniqueKeysWithValues: files.map { file in
                let collector = FunctionCollector(viewMode: .sourceAccurate)
                collector.walk(file.tree)
                return (file.path, collector.names)
            })
        folderGraph = FolderGraph(shipped, NameTable(shipped), importers: importers)
    }
}

/// The modules that `file` imports, with the declaration.
func imports(of file: SourceFile) -> [(module: String, declaration: ImportDeclSyntax)] {
    file.tree.statements.compactMap { statement in
        guard let declaration = statement.item.as(ImportDeclSyntax.self), let first = declaration.path.first else {
            return nil
        }
        return (first.name.text, declaration)
    }
}

private final class EnumCollector: SyntaxVisitor {
    var enums: [Project.OwnEnum] = []
    var namedValues: [String: Set<String>] = [:]

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
        gatherStatics(of: node.memberBlock, into: node.name.identifierText)
        return .visitChildren
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name = node.extendedType.trimmedDescription.split(separator: ".").last ?? ""
        if namedValues[String(name)] != nil { gatherStatics(of: node.memberBlock, into: String(name)) }
        return .visitChildren
    }

    private func gatherStatics(of block: MemberBlockSyntax, into name: String) {
        var names = namedValues[name] ?? []
        for member in block.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
            guard variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) }) else { continue }
            for binding in variable.bindings {
                guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
                names.insert(pattern.identifier.identifierText)
            }
        }
        namedValues[name] = names
    }

    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
        var cases: Set<String> = []
        for member in node.memberBlock.members {
            guard let declaration = member.decl.as(EnumCaseDeclSyntax.self) else { continue }
            for element in declaration.elements { cases.insert(element.name.identifierText) }
        }
        // An enum without cases is a namespace.
        if !cases.isEmpty { enums.append(Project.OwnEnum(name: node.name.identifierText, cases: cases)) }
        return .visitChildren
    }
}

private final class FunctionCollector: SyntaxVisitor {
    var names: Set<String> = []

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        names.insert(node.name.identifierText)
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        names.insert("init")
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let pattern = node.pattern.as(IdentifierPatternSyntax.self) {
            names.insert(pattern.identifier.identifierText)
        }
        return .visitChildren
    }
}

extension TokenSyntax {
    /// The name without the backticks that let a keyword be one.
    var identifierText: String {
        text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text
    }
}
