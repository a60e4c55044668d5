/// A house rule: reads a file and names the places that break it.
public protocol Rule: Sendable {
    /// What the rule is called in a report.
    static var name: String { get }

    /// The places of `file` that break the rule. `project` is what all files together declare.
    func violations(in file: SourceFile, of project: Project) -> [Violation]

    /// What breaks the rule without being in one file.
    func violations(of project: Project) -> [Violation]
}

extension Rule {
    /// The rule's name, as a report has it.
    public var name: String { Self.name }

    /// Nothing: most rules read one file at a time.
    public func violations(of project: Project) -> [Violation] { [] }
}

/// Every rule of the house.
public let houseRules: [any Rule] = [
    NoStoredBool(), NoDefaultOverOwnEnum(), ImportTable.tapline, FileLength(), FunctionLength(), EmbeddedSubset(),
    ProvenEscape(), NothingUnfinished(), NoWallClockWait(), FolderDirection.tapline,
    DeadDeclaration.tapline, DeadFile(), OneNameOneType.tapline, PathOnPage(), TouchWay(), BufferOnPage(),
    OneFunctionOfAName(),
]

/// The places of `files` and `pages` that break one of `rules`, sorted. `tree` holds the files that a page may name.
public func violations(
    of rules: [any Rule] = houseRules, in files: [SourceFile], pages: [Page] = [], scripts: [Script] = [],
    tree: FileTree = FileTree(files: [])
) -> [Violation] {
    let project = Project(files, pages: pages, scripts: scripts, tree: tree)
    let inFiles = files.flatMap { file in rules.flatMap { $0.violations(in: file, of: project) } }
    return (inFiles + rules.flatMap { $0.violations(of: project) }).sorted()
}
