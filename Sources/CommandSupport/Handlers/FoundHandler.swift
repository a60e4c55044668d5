import Foundation

/// A public type of a package that conforms to `TapHandler`.
package struct FoundHandler: Equatable {
    /// Whether a program can make one.
    package enum Making: Equatable {
        case possible
        /// Why not, and what to do.
        case impossible(String)
    }

    package var module: String
    package var type: String
    package var making: Making

    package var name: String { "\(module).\(type)" }

    /// Whether another module has a type of this name.
    package enum Company {
        case alone
        case amongOthers
    }

    /// What makes one, in Swift. A type may be called as its module is, so that the module's name is left out where it can be; and it
    /// may have a name that is none without marks.
    package func expression(_ company: Company) -> String {
        let parts = type.split(separator: ".").map { "`\($0)`" }
        switch company {
        case .alone: return parts.joined(separator: ".") + "()"
        case .amongOthers: return (["`\(module)`"] + parts).joined(separator: ".") + "()"
        }
    }

    package var isPossible: Bool { making == .possible }

    /// The handlers of a module.
    ///
    /// - Parameter symbols: the module's symbol graph (the compiler's format, version 0.6).
    package static func handlers(in module: String, symbols: Data) throws -> [FoundHandler] {
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: symbols)
        let types = Dictionary(graph.symbols.map { ($0.identifier.precise, $0) }) { first, _ in first }
        // The protocol by its mangled name.
        let conforming = graph.relationships.filter {
            $0.kind == "conformsTo" && $0.target == "s:5Watch10TapHandlerP"
        }
        return conforming.compactMap { types[$0.source] }
            .filter { ["swift.struct", "swift.enum", "swift.class"].contains($0.kind.identifier) }
            .map { type in
                FoundHandler(
                    module: module, type: type.pathComponents.joined(separator: "."), making: graph.making(of: type))
            }
    }
}

/// A symbol graph, as far as it says who conforms to what and which initializers there are.
private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable {
            var precise: String
        }

        struct Kind: Decodable {
            var identifier: String
        }

        struct Generics: Decodable {}

        struct Fragment: Decodable {
            var spelling: String
        }

        var identifier: Identifier
        var kind: Kind
        var pathComponents: [String]
        var declarationFragments: [Fragment]
        /// There for a generic type, and for one within a generic type.
        var swiftGenerics: Generics?
    }

    struct Relationship: Decodable {
        var source: String
        var target: String
        var kind: String
    }

    var symbols: [Symbol]
    var relationships: [Relationship]

    /// Whether a type can be made without arguments of any kind.
    func making(of type: Symbol) -> FoundHandler.Making {
        if type.swiftGenerics != nil {
            return .impossible("it is generic: give a type of its own to what you ship")
        }
        let initializer = symbols.first {
            $0.kind.identifier == "swift.init" && $0.pathComponents == type.pathComponents + ["init()"]
        }
        guard let initializer else { return .impossible("it has no public init()") }
        // Neither one that may fail, nor one that throws, nor one that waits.
        let declaration = initializer.declarationFragments.map(\.spelling).joined()
        guard declaration.hasSuffix("init()") else { return .impossible("its init() may fail: \(declaration)") }
        return .possible
    }
}
