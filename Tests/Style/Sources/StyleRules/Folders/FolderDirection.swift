/// Folders know their place: within a module, two folders never refer to each other in both directions, and no way leads
/// from a folder through others back to it.
///
/// A folder refers to another one where a file of it names a type or a function that the other one declares, or a member
/// that the other one adds by an extension. A subfolder is a folder of its own. A file in a module's root belongs to no
/// folder.
public struct FolderDirection: Rule {
    /// What the rule is called in a report.
    public static let name = "folder-direction"

    /// The arrows that are allowed although the other direction exists, each with the reason.
    let exceptions: [FolderException]

    /// The rule with exceptions of its own, for a test.
    init(exceptions: [FolderException]) { self.exceptions = exceptions }

    /// Tapline's rule.
    public static let tapline = FolderDirection(exceptions: FolderException.tapline)

    /// The rule that allows no exception.
    public static let withoutExceptions = FolderDirection(exceptions: [])

    /// What `file` uses of a folder that also uses what the file's own folder declares.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        let graph = project.folderGraph
        let allowed = Set(exceptions.map(\.arrow))
        let contrary: [Violation] = graph.contraryArrows(without: allowed).flatMap { arrow in
            (graph.arrows[arrow] ?? []).filter { $0.path == file.path }.map { use in
                let back = graph.arrows[arrow.reversed]?.count ?? 0
                let message =
                    "\(arrow.from) uses '\(use.name)' of \(arrow.to), and \(arrow.to) uses \(arrow.from) at \(back) "
                    + "\(back == 1 ? "place" : "places"); of the two directions, one has to go"
                return Violation(path: use.path, line: use.line, rule: name, message: message)
            }
        }
        guard let module = Place(path: file.path)?.module else { return contrary }
        return contrary
            + graph.cycles(of: module, without: allowed).flatMap { cycle in
                (graph.arrows[cycle[0]] ?? []).filter { $0.path == file.path }.map { use in
                    let way = cycle.map(\.to).joined(separator: ", which uses ")
                    let message = "\(cycle[0].from) uses '\(use.name)' of \(way); of these directions, one has to go"
                    return Violation(path: use.path, line: use.line, rule: name, message: message)
                }
            }
    }

    /// The exceptions that are no longer needed.
    public func violations(of project: Project) -> [Violation] {
        let graph = project.folderGraph
        return exceptions.compactMap { exception in
            let arrow = exception.arrow
            guard graph.isWhole(arrow.module) else { return nil }
            if graph.isPartOfCycle(arrow) { return nil }
            let message =
                "no way leads from \(arrow.to) back to \(arrow.from), or \(arrow.from) no longer uses \(arrow.to); take "
                + "the exception off the list"
            return Violation(path: arrow.module, line: 1, rule: name, message: message)
        }
    }
}
