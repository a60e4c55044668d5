/// The declarations of all shipped files, and which of them a name means.
///
/// Types are not known here, so a name is resolved only where it can mean one thing. Where two folders declare what a
/// use might mean, the use counts as a reference to neither.
struct NameTable {
    /// A declaration and the place of its file.
    struct Entry {
        let declaration: Declaration
        let place: Place
    }

    private var topLevel: [String: [Entry]] = [:]
    private var members: [String: [Entry]] = [:]
    private var nestedTypes: [String: Set<String>] = [:]

    /// Gathers the declarations of `files`.
    init(_ files: [FileNames]) {
        for file in files {
            guard let place = file.place else { continue }
            for declaration in file.declarations {
                let entry = Entry(declaration: declaration, place: place)
                guard let owner = declaration.owner else {
                    topLevel[declaration.name, default: []].append(entry)
                    continue
                }
                members[declaration.name, default: []].append(entry)
                if declaration.isType { nestedTypes[owner, default: []].insert(declaration.name) }
            }
        }
    }

    /// The declaration that `reference`, in `file`, means; nil where that cannot be told from names, and for the
    /// members that a type declares in its body, which are reached through the type.
    func entry(for reference: Reference, in file: FileNames) -> Entry? {
        guard let place = file.place else { return nil }
        switch reference.form {
        case .type: return type(reference, in: file, at: place)
        case .nestedType(let outer): return addition(reference.name, to: outer, labels: nil, from: place)
        case .bare(let labels):
            if file.locals.contains(reference.name) { return nil }
            if reference.name.first?.isUppercase == true { return type(reference, in: file, at: place) }
            for owner in reference.scope.reversed() {
                if isMember(reference.name, of: owner) {
                    return addition(reference.name, to: owner, labels: labels, from: place)
                }
            }
            return only(visible(topLevel[reference.name], from: place, in: file), labels: labels)
        case .member(of: let base?, let labels):
            if base == "self" || base == "Self", let owner = reference.scope.last {
                return addition(reference.name, to: owner, labels: labels, from: place)
            }
            if base.first?.isUppercase == true {
                return addition(reference.name, to: base, labels: labels, from: place)
            }
            return anyAddition(reference.name, labels: labels)
        case .member(of: nil, let labels): return anyAddition(reference.name, labels: labels)
        }
    }

    private func type(_ reference: Reference, in file: FileNames, at place: Place) -> Entry? {
        if file.typeParameters.contains(reference.name) { return nil }
        // A nested type hides one at the top.
        for owner in reference.scope where isNested(reference.name, in: owner) { return nil }
        return only(visible(topLevel[reference.name], from: place, in: file), labels: nil)
    }

    private func isNested(_ name: String, in owner: String) -> Bool {
        var outer = owner[...]
        while true {
            if nestedTypes[String(outer)]?.contains(name) == true { return true }
            guard let dot = outer.lastIndex(of: ".") else { return false }
            outer = outer[..<dot]
        }
    }

    private func isMember(_ name: String, of owner: String) -> Bool {
        members[name]?.contains { $0.declaration.owner == owner } ?? false
    }

    /// What a file at `place` may see of `entries`: its own module's before the others', and no other file's secrets.
    private func visible(_ entries: [Entry]?, from place: Place, in file: FileNames) -> [Entry] {
        let seen = (entries ?? []).filter { entry in
            switch entry.declaration.reach {
            case .file: entry.declaration.path == file.path
            case .module, .beyondModule: true
            }
        }
        let own = seen.filter { $0.place.module == place.module }
        return own.isEmpty ? seen : own
    }

    private func only(_ entries: [Entry], labels: [String]?) -> Entry? {
        let fitting = entries.filter { $0.declaration.matches(call: labels) }
        guard let first = fitting.first, fitting.allSatisfy({ $0.place == first.place }) else { return nil }
        return first
    }

    /// The member called `name` that an extension adds to the type called `owner`.
    private func addition(_ name: String, to owner: String, labels: [String]?, from place: Place) -> Entry? {
        let entries = (members[name] ?? []).filter { $0.declaration.owner == owner }
        let own = entries.filter { $0.place.module == place.module }
        return isAddition(only(own.isEmpty ? entries : own, labels: labels))
    }

    /// The member called `name` that an extension adds to a type which the use does not name: only where nothing else
    /// of ours, and nothing of the standard library, is called so.
    private func anyAddition(_ name: String, labels: [String]?) -> Entry? {
        NameTable.common.contains(name) ? nil : isAddition(only(members[name] ?? [], labels: labels))
    }

    private func isAddition(_ entry: Entry?) -> Entry? {
        switch entry?.declaration.home {
        case .addition: entry
        case .body, .top, nil: nil
        }
    }

    /// Members of the standard library and of Foundation which an extension of ours may share a name with.
    private static let common: Set<String> = [
        "append", "bytes", "contains", "count", "data", "description", "dropFirst", "dropLast", "elements", "encode",
        "end", "endIndex", "enumerated", "extracting", "filter", "first", "flatMap", "forEach", "formatted", "hash",
        "hashValue", "index", "indices", "init", "insert", "isEmpty", "joined", "keys", "last", "lowerBound", "map",
        "max", "min", "name", "path", "pointee", "popLast", "prefix", "rawValue", "reduce", "remove", "removeAll",
        "removeFirst", "removeLast", "replaceSubrange", "reversed", "self", "some", "none", "sorted", "span", "split",
        "start", "startIndex", "suffix", "swapAt", "text", "trimmed", "truncate", "upperBound", "utf8", "value",
        "values", "withUnsafeBytes", "write", "zero",
    ]
}
