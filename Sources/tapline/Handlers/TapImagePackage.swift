import Foundation
import TapLatency

/// The package that is made to build an image of somebody's handlers: it is kept below their build directory, so that it is built
/// anew only as far as they have changed.
struct TapImagePackage {
    let handlers: HandlerPackage
    private let directory: String

    /// A handler of the package: a public type with an initializer without arguments.
    struct Handler: Equatable {
        var module: String
        var type: String

        var name: String { "\(module).\(type)" }
    }

    init(for handlers: HandlerPackage) {
        self.handlers = handlers
        directory = "\(handlers.directory)/.build/tapline"
    }

    /// The handlers of the package.
    ///
    /// - Throws: what of the package does not build for the watch's processor.
    func findHandlers() throws -> [Handler] {
        try write(source: handlers.modules.map { "import \($0)\n" }.joined() + "\n" + TapImagePackage.empty)
        _ = try build()
        return try handlers.modules.flatMap(handlers(in:)).sorted { $0.name < $1.name }
    }

    /// An image of these handlers: its path.
    func build(_ chosen: [Handler]) throws -> String {
        let imports = Set(chosen.map(\.module)).sorted().map { "import \($0)\n" }.joined()
        let list = chosen.map { "        NamedHandler(\"\($0.name)\", \($0.name)())\n" }.joined()
        try write(
            source: """
                import LabBoard
                import Watch
                \(imports)
                \(TapImagePackage.onHost)

                @c(TapImage_main) func runTapImage() {
                    LabProgram.run {
                \(list)    }
                }

                """)
        return try build()
    }

    /// SwiftPM takes a program of one file for a script unless it says `@main` somewhere.
    private static let onHost = "#if !os(none)\n@main enum TapImage { static func main() {} }\n#endif\n"
    /// A program that has everything in it and runs nothing.
    private static let empty = "\(onHost)\n@c(TapImage_main) func runTapImage() {}\n"

    private func write(source: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: "\(directory)/Sources/TapImage", withIntermediateDirectories: true)
        let products = handlers.products.map { ".product(name: \"\($0)\", package: \"\(handlers.name)\")" }
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "TapImage",
                products: [.executable(name: "TapImage", targets: ["TapImage"])],
                dependencies: [
                    .package(name: "\(handlers.name)", path: "\(handlers.directory)"),
                    .package(name: "tapline", path: "\(handlers.tapline)"),
                ],
                targets: [
                    .executableTarget(
                        name: "TapImage",
                        dependencies: [
                            .product(name: "LabBoard", package: "tapline"), .product(name: "Watch", package: "tapline"),
                            \(products.joined(separator: ", ")),
                        ])
                ],
                swiftLanguageModes: [.v6]
            )

            """
        try TapImagePackage.write(manifest, to: "\(directory)/Package.swift")
        try TapImagePackage.write(source, to: "\(directory)/Sources/TapImage/TapImage.swift")
        // The versions that the package itself has.
        let resolved = "\(handlers.directory)/Package.resolved"
        if files.fileExists(atPath: resolved), !files.fileExists(atPath: "\(directory)/Package.resolved") {
            try files.copyItem(atPath: resolved, toPath: "\(directory)/Package.resolved")
        }
    }

    /// Writes a file where it says something else, so that nothing is built for nothing.
    private static func write(_ text: String, to path: String) throws {
        if FileManager.default.contents(atPath: path) == Data(text.utf8) { return }
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// Builds what is written, and returns the image's path.
    private func build() throws -> String {
        let result = try ProgramOutput(["\(handlers.tapline)/Hardware/build", "--package", directory])
        guard result.status == 0, let image = result.output.split(separator: "\n").last else {
            throw HandlerFailure(BuildComplaint(result.errors + result.output).description)
        }
        return String(image)
    }

    // MARK: Handlers

    /// A symbol graph, as far as it says who conforms to what (the compiler's format, version 0.6).
    private struct SymbolGraph: Decodable {
        struct Symbol: Decodable {
            struct Identifier: Decodable {
                var precise: String
            }

            var identifier: Identifier
            var pathComponents: [String]
        }

        struct Relationship: Decodable {
            var source: String
            var target: String
            var kind: String
        }

        var symbols: [Symbol]
        var relationships: [Relationship]
    }

    /// The public types of a module that conform to `TapHandler`: its mangled name in the graph.
    private func handlers(in module: String) throws -> [Handler] {
        guard let bytes = FileManager.default.contents(atPath: "\(directory)/symbols/\(module).symbols.json") else {
            return []
        }
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: bytes)
        let names = Dictionary(graph.symbols.map { ($0.identifier.precise, $0.pathComponents) }) { first, _ in first }
        let conforming = graph.relationships.filter {
            $0.kind == "conformsTo" && $0.target == "s:5Watch10TapHandlerP"
        }
        return conforming.compactMap { names[$0.source] }
            .map { Handler(module: module, type: $0.joined(separator: ".")) }
    }
}

/// What a build complains of, in one line: where, and what to do.
struct BuildComplaint: CustomStringConvertible {
    private let log: String

    init(_ log: String) {
        self.log = log
    }

    var description: String {
        let lines = log.split(separator: "\n").map(String.init)
        if let type = lines.lazy.compactMap(BuildComplaint.allocatedType).first {
            let place = lines.first { $0.contains(".swift:") && $0.contains("error:") && !$0.contains("<unknown>") }
            return "a stage needs a heap, which the watch does not have (\(type)\(place.map { ", \($0)" } ?? "")): "
                + "use InlineArray for arrays, Float for Double, and no classes, closures that are kept or strings"
        }
        let error =
            lines.first { $0.contains("error:") && $0.contains(".swift:") }
            ?? lines.first { $0.contains("error:") } ?? lines.last ?? "nothing was said"
        return "it does not build for the watch's processor: \(error)"
    }

    /// The type in a complaint about the heap.
    private static func allocatedType(_ line: String) -> String? {
        guard line.contains("-no-allocations"), let start = line.firstIndex(of: "'"),
            let end = line[line.index(after: start)...].firstIndex(of: "'")
        else { return nil }
        return String(line[line.index(after: start)..<end])
    }
}
