import Foundation

/// A user's Swift package that defines tap handlers and depends on Tapline.
package struct HandlerPackage {
    package let directory: String
    package let name: String
    /// The names of the package's library products.
    package let products: [String]
    package let modules: [String]
    /// The folders of the modules, relative to the package's directory.
    package let folders: [String]
    /// The directory of the Tapline checkout that the package depends on.
    package let tapline: String

    /// The output of `swift package describe --type json`.
    private struct Description: Decodable {
        struct Product: Decodable {
            var name: String
            var targets: [String]
            /// Has the key "library" if the product is a library.
            var type: [String: [String]?]
        }

        struct Target: Decodable {
            var name: String
            var c99name: String?
            var path: String
            var type: String
            var target_dependencies: [String]?
        }

        var name: String
        var products: [Product]
        var targets: [Target]
    }

    /// The output of `swift package show-dependencies --format json`.
    private struct Dependency: Decodable {
        var path: String
        var dependencies: [Dependency]
    }

    /// Reads the package with `swift package`. Throws if the directory has no package, or if the package has no library or does
    /// not depend on Tapline.
    package init(directory path: String) throws {
        directory = URL(filePath: try path.resolvedPath()).standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: "\(directory)/Package.swift") else {
            throw CommandFailure("there is no package in \(path): it has no Package.swift")
        }
        let described: Description = try HandlerPackage.ask(["describe", "--type", "json"], of: directory)
        name = described.name
        let libraries = described.products.filter { $0.type.keys.contains("library") }
        products = libraries.map(\.name)
        guard !products.isEmpty else {
            throw CommandFailure("\(name) has no library: put its handlers into a target of a library product")
        }
        var modules: [String] = []
        var pending = libraries.flatMap(\.targets)
        while let module = pending.popLast() {
            guard !modules.contains(module), let target = described.targets.first(where: { $0.name == module }) else {
                continue
            }
            modules.append(module)
            pending += target.target_dependencies ?? []
        }
        let targets = described.targets.filter { modules.contains($0.name) }
        self.modules = targets.map { $0.c99name ?? $0.name }.sorted()
        folders = targets.map(\.path).sorted()
        let resolved: Dependency = try HandlerPackage.ask(["show-dependencies", "--format", "json"], of: directory)
        guard let tapline = HandlerPackage.tapline(in: resolved) else {
            throw CommandFailure("\(name) does not depend on Tapline: it has no handlers for this watch")
        }
        self.tapline = tapline
    }

    /// Returns the path of Tapline among the direct and indirect dependencies; nil if no dependency is Tapline. Recognizes
    /// Tapline by the source file of the lab's firmware.
    private static func tapline(in dependency: Dependency) -> String? {
        for found in dependency.dependencies {
            if FileManager.default.fileExists(atPath: "\(found.path)/Hardware/Boards/Lab/LabFirmware.swift") {
                return found.path
            }
            if let deeper = tapline(in: found) { return deeper }
        }
        return nil
    }

    /// Runs `swift package` with the arguments `words`, and decodes the JSON that it prints.
    private static func ask<Answer: Decodable>(_ words: [String], of directory: String) throws -> Answer {
        let result = try ProgramOutput(["swift", "package", "--package-path", directory] + words)
        // env(1) ends with this status if it does not find the program.
        guard result.status != 127 else {
            throw CommandFailure(
                "a package is built with the Swift toolchain, which is not on PATH: install Swift 6.3 or later "
                    + "(https://www.swift.org/install/linux/debian/12/)")
        }
        guard result.status == 0 else {
            throw CommandFailure("swift package cannot read \(directory): \(result.firstError)")
        }
        // SwiftPM first prints what it has fetched, and then the JSON.
        guard let start = result.output.firstIndex(of: "{") else {
            throw CommandFailure("swift package printed no JSON for \(directory)")
        }
        return try JSONDecoder().decode(Answer.self, from: Data(result.output[start...].utf8))
    }
}

package struct ProgramOutput {
    package let status: CInt
    package let output: String
    /// The text on standard error. A compiler's error messages may be in `output` instead.
    package let errors: String

    package init(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        let folder = FileManager.default.temporaryDirectory.appending(path: "tapline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The output goes to files. If both were pipes, one could fill up while the other is read.
        let places = try ["output", "errors"].map { name in
            let place = folder.appending(path: name)
            try Data().write(to: place)
            return (place, try FileHandle(forWritingTo: place))
        }
        process.standardOutput = places[0].1
        process.standardError = places[1].1
        try process.run()
        process.waitUntilExit()
        status = process.terminationStatus
        output = String(decoding: try Data(contentsOf: places[0].0), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: places[1].0), as: UTF8.self)
    }

    package var firstError: String {
        let lines = (errors + "\n" + output).split(separator: "\n").map(String.init)
        return lines.first { $0.contains("error:") } ?? lines.last ?? "it says nothing"
    }
}

/// A public type that conforms to `TapHandler`, in a user's package.
package struct FoundHandler: Equatable {
    package var module: String
    package var type: String
    /// Why a generated program cannot create a value of the type; nil if the program can.
    package var obstacle: String?

    package var name: String { "\(module).\(type)" }

    /// Returns a Swift expression that creates a value of the type. Each name is in backticks, because it may be a Swift
    /// keyword.
    ///
    /// - Parameter isAlone: whether no other handler's type has the same name. If true, the expression leaves out the module's
    ///   name. If a module has a type with the module's name, Swift takes `Module.Handler` for a type inside that type.
    package func expression(isAlone: Bool) -> String {
        ((isAlone ? [] : [module]) + type.split(separator: ".").map(String.init))
            .map { "`\($0)`" }.joined(separator: ".") + "()"
    }

    /// Finds the handlers of a module.
    /// - Parameter symbols: the module's symbol graph as the compiler writes it: JSON in format 0.6.
    package static func handlers(in module: String, symbols: Data) throws -> [FoundHandler] {
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: symbols)
        let types = Dictionary(graph.symbols.map { ($0.identifier.precise, $0) }) { first, _ in first }
        // The target is the mangled name of `Watch.TapHandler`.
        let conforming = graph.relationships.filter {
            $0.kind == "conformsTo" && $0.target == "s:5Watch10TapHandlerP"
        }
        return conforming.compactMap { types[$0.source] }
            .filter { ["swift.struct", "swift.enum", "swift.class"].contains($0.kind.identifier) }
            .map { type in
                FoundHandler(
                    module: module, type: type.pathComponents.joined(separator: "."), obstacle: graph.obstacle(to: type)
                )
            }
    }
}

/// The parts of a symbol graph that tell which types conform to a protocol, and which initializers they have.
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
        /// Set for a generic type, and for a type inside one.
        var swiftGenerics: Generics?
    }

    struct Relationship: Decodable {
        var source: String
        var target: String
        var kind: String
    }

    var symbols: [Symbol]
    var relationships: [Relationship]

    /// Returns why a program cannot create a value of the type. Returns nil if the type is not generic, and has a public
    /// `init()` that is not failable, throwing or async.
    func obstacle(to type: Symbol) -> String? {
        if type.swiftGenerics != nil {
            return "it is generic: declare a type without parameters that uses it"
        }
        let initializer = symbols.first {
            $0.kind.identifier == "swift.init" && $0.pathComponents == type.pathComponents + ["init()"]
        }
        guard let initializer else { return "it has no public init()" }
        // An initializer that can fail, throws or is asynchronous does not count.
        let declaration = initializer.declarationFragments.map(\.spelling).joined()
        return declaration.hasSuffix("init()") ? nil : "its init() may fail: \(declaration)"
    }
}

extension ProgramOutput {
    /// One line about a failed build: the compiler's first error. If code needs the heap, the line names the type that needs
    /// it, and what to use instead.
    package var buildComplaint: String {
        let lines = (errors + output).split(separator: "\n").map(String.init)
        if let type = lines.lazy.compactMap(ProgramOutput.allocatedType).first {
            let place = lines.first { $0.contains(".swift:") && $0.contains("error:") && !$0.contains("<unknown>") }
            return "a stage needs a heap, which the watch does not have (\(type)\(place.map { ", \($0)" } ?? "")): "
                + "use InlineArray for arrays, Float for Double, and no classes, strings or stored closures"
        }
        let error =
            lines.first { $0.contains("error:") && $0.contains(".swift:") }
            ?? lines.first { $0.contains("error:") } ?? lines.last ?? "the build printed nothing"
        return "it does not build for the watch's processor: \(error)"
    }

    /// Returns the type that the compiler rejects in this line of its output because the type needs the heap. Returns nil if
    /// the line has no such error.
    private static func allocatedType(_ line: String) -> String? {
        guard line.contains("-no-allocations"), let start = line.firstIndex(of: "'"),
            let end = line[line.index(after: start)...].firstIndex(of: "'")
        else { return nil }
        return String(line[line.index(after: start)..<end])
    }
}
