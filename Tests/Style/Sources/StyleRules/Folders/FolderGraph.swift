/// Which folders of the shipped modules refer to which.
struct FolderGraph {
    /// One folder of a module refers to another one of the same module.
    struct Arrow: Hashable, Comparable {
        let module: String
        let from: String
        let to: String

        /// The arrow in the other direction.
        var reversed: Arrow { Arrow(module: module, from: to, to: from) }

        /// By module, then by where it begins, then by where it ends.
        static func < (left: Arrow, right: Arrow) -> Bool {
            (left.module, left.from, left.to) < (right.module, right.from, right.to)
        }
    }

    /// A place at which a file uses what another folder declares.
    struct Use {
        let path: String
        let line: Int
        /// What is used.
        let name: String
    }

    /// Every arrow, with the uses that make it, by file and line.
    private(set) var arrows: [Arrow: [Use]] = [:]
    /// The folders of each module, with the number of their files.
    private(set) var folders: [String: [String: Int]] = [:]
    /// The modules of ours that each module imports.
    private(set) var imports: [String: Set<String>] = [:]

    /// Finds the arrows between the folders of `files`.
    ///
    /// A file in a module's root belongs to no folder: it is the module's face, which may name every folder and which
    /// every folder may name, as the module's own error.
    init(_ files: [FileNames], _ table: NameTable, importers: [String: [String]]) {
        for file in files {
            guard let place = file.place else { continue }
            folders[place.module, default: [:]][place.folder, default: 0] += 1
            guard !place.folder.isEmpty else { continue }
            for reference in file.references {
                guard let target = table.entry(for: reference, in: file)?.place, target.module == place.module,
                    target.folder != place.folder, !target.folder.isEmpty
                else { continue }
                let arrow = Arrow(module: place.module, from: place.folder, to: target.folder)
                arrows[arrow, default: []].append(
                    Use(path: file.path, line: reference.line, name: reference.name))
            }
        }
        for module in folders.keys {
            let name = module.split(separator: "/").last.map(String.init) ?? module
            for importer in (importers[name] ?? []).compactMap(Place.init(path:)) {
                imports[importer.module, default: []].insert(module)
            }
        }
    }

    /// Whether the files are enough to tell what is gone from `module`: a test's sample is not the whole repository.
    func isWhole(_ module: String) -> Bool { folders[module]?.keys.contains { !$0.isEmpty } ?? false }

    /// The arrows of `module`, in order.
    func arrows(of module: String) -> [Arrow] { arrows.keys.filter { $0.module == module }.sorted() }

    /// The arrows that lead back where others lead to: of two folders that refer to each other, the one with fewer
    /// uses. Those of `allowed` do not count.
    func contraryArrows(without allowed: Set<Arrow>) -> [Arrow] {
        arrows.keys.filter { arrow in
            guard !allowed.contains(arrow), !allowed.contains(arrow.reversed) else { return false }
            let uses = arrows[arrow]?.count ?? 0
            guard let back = arrows[arrow.reversed]?.count else { return false }
            return uses < back || (uses == back && arrow < arrow.reversed)
        }.sorted()
    }

    /// The ways of `module` that lead from a folder through at least two others back to it, the shortest first, each as
    /// its arrows from the one with the fewest uses on. Arrows of `allowed` and those of two folders that refer to each
    /// other do not count, and no way is found that the first arrows of the others interrupt.
    func cycles(of module: String, without allowed: Set<Arrow>) -> [[Arrow]] {
        var left = Set(arrows(of: module)).subtracting(allowed).subtracting(contraryArrows(without: allowed))
        var cycles: [[Arrow]] = []
        while let cycle = shortestCycle(in: left) {
            cycles.append(cycle)
            left.remove(cycle[0])
        }
        return cycles
    }

    /// Whether `arrow` is part of a way that leads back to where it begins.
    func isPartOfCycle(_ arrow: Arrow) -> Bool {
        arrows[arrow] != nil && way(from: arrow.to, to: arrow.from, along: Set(arrows(of: arrow.module))) != nil
    }

    private func shortestCycle(in arrows: Set<Arrow>) -> [Arrow]? {
        let cycles = arrows.sorted().compactMap { arrow in
            way(from: arrow.to, to: arrow.from, along: arrows).map { [arrow] + $0 }
        }
        guard let shortest = cycles.min(by: { $0.count < $1.count }),
            let weakest = shortest.indices.min(by: { uses(shortest[$0]) < uses(shortest[$1]) })
        else { return nil }
        return Array(shortest[weakest...] + shortest[..<weakest])
    }

    private func uses(_ arrow: Arrow) -> Int { arrows[arrow]?.count ?? 0 }

    /// The fewest arrows that lead from a folder to another one; nil where none do.
    private func way(from start: String, to end: String, along arrows: Set<Arrow>) -> [Arrow]? {
        let sorted = arrows.sorted()
        var ways: [String: [Arrow]] = [start: []]
        var reached = [start]
        while !reached.isEmpty, ways[end] == nil {
            var next: [String] = []
            for folder in reached {
                for arrow in sorted where arrow.from == folder && ways[arrow.to] == nil {
                    ways[arrow.to] = (ways[folder] ?? []) + [arrow]
                    next.append(arrow.to)
                }
            }
            reached = next
        }
        return ways[end]
    }
}
