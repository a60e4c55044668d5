import Foundation

/// A public type of a package that conforms to `TapHandler`.
struct FoundHandler: Equatable {
    /// Whether a program can make one.
    enum Making: Equatable {
        case possible
        /// Why not, and what to do.
        case impossible(String)
    }

    var module: String
    var type: String
    var making: Making

    var name: String { "\(module).\(type)" }

    var isPossible: Bool { making == .possible }

    /// The handlers of a module.
    ///
    /// - Parameter symbols: the module's symbol graph (the compiler's format, version 0.6).
    static func handlers(in module: String, symbols: Data) throws -> [FoundHandler] {
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: symbols)
        let types = Dictionary(graph.symbols.map { ($0.identifier.precise, $0) }) { first, _ in first }
        // The protocol by its mangled name.
        let conforming = graph.relationships.filter {
            $0.kind == "conformsTo" && $0.target == "s:5Watch10TapHandlerP"
        }
        return conforming.compactMap { types[$0.source] }
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

        var identifier: Identifier
        var kind: Kind
        var pathComponents: [String]
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
        let hasInitializer = symbols.contains {
            $0.kind.identifier == "swift.init" && $0.pathComponents == type.pathComponents + ["init()"]
        }
        return hasInitializer ? .possible : .impossible("it has no public init()")
    }
}
