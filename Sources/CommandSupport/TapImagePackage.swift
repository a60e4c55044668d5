import Foundation

/// Generates a Swift package that builds a firmware image with a user's handlers. The generated package stays in the `.build`
/// directory of the user's package, so that a later build compiles only what has changed.
package struct TapImagePackage {
    package enum Board {
        /// The lab's firmware on the Reference board. It can have several handlers.
        case lab
        /// A watch's firmware on the Reference board. Like the PineTime's firmware, it has exactly one handler.
        case reference
        case pineTime

        fileprivate var folder: String {
            switch self {
            case .lab: "tapline-tap-image"
            case .reference: "tapline-reference-image"
            case .pineTime: "tapline-pinetime-image"
            }
        }

        /// The board's folder in `Hardware/Boards`.
        fileprivate var folderOfBoard: String {
            switch self {
            case .lab, .reference: "Reference"
            case .pineTime: "PineTime"
            }
        }
    }

    package let handlers: HandlerPackage
    private let board: Board
    private let directory: String

    package init(for handlers: HandlerPackage, on board: Board = .lab) {
        self.handlers = handlers
        self.board = board
        // SwiftPM identifies the package by the last part of its path, which no dependency has.
        directory = "\(handlers.directory)/.build/\(board.folder)"
    }

    private struct Built {
        var source: String
        var image: String
    }

    /// Builds an image with the handlers that `choose` returns, and returns the image's path. `choose` receives every handler
    /// of the package, including those with an `obstacle`.
    package func image(of choose: ([FoundHandler]) throws -> [FoundHandler]) throws -> String {
        let built = try buildModules()
        let source = source(of: try choose(try findHandlers()))
        // The image that `buildModules` built has the same handlers.
        return built.source == source ? built.image : try build(source).image
    }

    /// Builds the user's modules, their symbol graphs, and a program: the last generated program, or a program without handlers
    /// if the last generated program is missing or cannot be built.
    private func buildModules() throws -> Built {
        let last = FileManager.default.contents(atPath: sourcePath).map { String(decoding: $0, as: UTF8.self) }
        // The last program may use a handler that no longer exists. If there is another error, the next build fails with it.
        if let last, let built = try? build(last) { return built }
        return try build(handlers.modules.map { "import \($0)\n" }.joined() + "\n" + TapImagePackage.empty)
    }

    private func findHandlers() throws -> [FoundHandler] {
        try handlers.modules.flatMap { module in
            let graph = FileManager.default.contents(atPath: "\(directory)/symbols/\(module).symbols.json")
            return try graph.map { try FoundHandler.handlers(in: module, symbols: $0) } ?? []
        }
        .sorted { $0.name < $1.name }
    }

    private func source(of chosen: [FoundHandler]) -> String {
        let imports = Set(chosen.map(\.module)).sorted().map { "import \($0)\n" }.joined()
        return """
            import NRF52
            import Watch
            \(imports)
            \(TapImagePackage.onHost)

            @c(TapImage_main) func runTapImage() {
            \(call(chosen))
            }

            """
    }

    /// Returns the Swift code that runs the chosen handlers: all of them in the lab, only the first on a watch.
    private func call(_ chosen: [FoundHandler]) -> String {
        let expressions = chosen.map { (handler: FoundHandler) -> (name: String, text: String) in
            let isAlone = chosen.count { $0.type == handler.type } == 1
            return (handler.name, handler.expression(isAlone: isAlone))
        }
        switch board {
        case .lab:
            let list = expressions.map { "        NamedHandler(\"\($0.name)\", \($0.text))\n" }.joined()
            return "    LabWatch.run {\n\(list)    }"
        case .reference, .pineTime: return "    \(board.folderOfBoard)Watch.run(\(expressions[0].text))"
        }
    }

    /// The entry point if the program is built for the host. SwiftPM looks for `@main` in a program's only file. Without
    /// `@main`, it would compile that file as a script.
    private static let onHost = "#if !os(none)\n@main enum TapImage { static func main() {} }\n#endif\n"
    /// A program that runs no handler. `buildModules` puts an import of each module before it.
    private static let empty = "\(onHost)\n@c(TapImage_main) func runTapImage() {}\n"

    private var sourcePath: String { "\(directory)/Sources/TapImage/TapImage.swift" }

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
                            .product(name: "NRF52", package: "tapline"), .product(name: "Watch", package: "tapline"),
                            \(products.joined(separator: ", ")),
                        ])
                ],
                swiftLanguageModes: [.v6]
            )

            """
        try TapImagePackage.write(manifest, to: "\(directory)/Package.swift")
        try TapImagePackage.write(source, to: sourcePath)
        // Uses the same versions of dependencies as the user's package.
        let resolved = "\(handlers.directory)/Package.resolved"
        if files.fileExists(atPath: resolved), !files.fileExists(atPath: "\(directory)/Package.resolved") {
            try files.copyItem(atPath: resolved, toPath: "\(directory)/Package.resolved")
        }
    }

    /// Writes a file only if its content changes, so that unchanged parts are not built again.
    private static func write(_ text: String, to path: String) throws {
        if FileManager.default.contents(atPath: path) == Data(text.utf8) { return }
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func build(_ source: String) throws -> Built {
        try write(source: source)
        let result = try ProgramOutput([
            "\(handlers.tapline)/Hardware/build", "--board", board.folderOfBoard, "--package", directory,
        ])
        guard result.status == 0, let image = result.output.split(separator: "\n").last else {
            throw CommandFailure(result.buildComplaint)
        }
        return Built(source: source, image: String(image))
    }
}
