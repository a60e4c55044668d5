import Foundation
import HostSystem

/// A package with handlers: its library products, their modules and sources, and the Tapline that it depends on.
package struct HandlerPackage {
    /// The package's own directory.
    package let directory: String
    package let name: String
    /// Its library products.
    package let products: [String]
    /// The modules of these.
    package let modules: [String]
    /// The folders of these modules' sources, below the package's directory.
    package let folders: [String]
    /// The directory of the Tapline that it depends on.
    package let tapline: String

    /// What `swift package describe --type json` says of a package.
    private struct Description: Decodable {
        struct Product: Decodable {
            var name: String
            var targets: [String]
            /// A library's has the key "library".
            var type: [String: [String]?]
        }

        struct Target: Decodable {
            var name: String
            /// Its module's name.
            var c99name: String?
            var path: String
            var type: String
            var target_dependencies: [String]?
        }

        var name: String
        var products: [Product]
        var targets: [Target]
    }

    /// What `swift package show-dependencies --format json` says.
    private struct Dependency: Decodable {
        var path: String
        var dependencies: [Dependency]
    }

    /// The package in a directory.
    ///
    /// - Throws: why its handlers cannot be counted.
    package init(directory path: String) throws {
        directory = URL(filePath: path).standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: "\(directory)/Package.swift") else {
            throw HandlerFailure("there is no package in \(path): it has no Package.swift")
        }
        let described: Description = try HandlerPackage.ask(["describe", "--type", "json"], of: directory)
        name = described.name
        let libraries = described.products.filter { $0.type.keys.contains("library") }
        products = libraries.map(\.name)
        guard !products.isEmpty else {
            throw HandlerFailure("\(name) has no library: put its handlers into a target of a library product")
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
            throw HandlerFailure("\(name) does not depend on Tapline: it has no handlers for this watch")
        }
        self.tapline = tapline
    }

    /// The dependency that has the lab's board.
    private static func tapline(in dependency: Dependency) -> String? {
        for found in dependency.dependencies {
            if FileManager.default.fileExists(atPath: "\(found.path)/Hardware/Boards/Lab/memory.ld") {
                return found.path
            }
            if let deeper = tapline(in: found) { return deeper }
        }
        return nil
    }

    /// What `swift package` says of a package, as JSON.
    private static func ask<Answer: Decodable>(_ words: [String], of directory: String) throws -> Answer {
        let result = try ProgramOutput(["swift", "package", "--package-path", directory] + words)
        guard result.status == 0 else {
            throw HandlerFailure("swift package cannot read \(directory): \(result.firstError)")
        }
        // What was fetched is told before the answer.
        guard let start = result.output.firstIndex(of: "{") else {
            throw HandlerFailure("swift package says nothing of \(directory)")
        }
        return try JSONDecoder().decode(Answer.self, from: Data(result.output[start...].utf8))
    }
}

/// Why handlers are not executed.
package struct HandlerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// A program that was run to its end, and what it has written.
package struct ProgramOutput {
    package let status: CInt
    package let output: String
    /// What it has written to its standard error, and for a compiler to its output.
    package let errors: String

    package init(_ words: [String], in directory: String? = nil) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "tapline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files, and not pipes: neither fills up while the other is read.
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

    /// The first line that says what is wrong.
    package var firstError: String {
        let lines = (errors + "\n" + output).split(separator: "\n").map(String.init)
        return lines.first { $0.contains("error:") } ?? lines.last ?? "it says nothing"
    }
}
