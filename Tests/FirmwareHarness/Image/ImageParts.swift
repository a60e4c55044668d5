import Foundation

/// Prints what each part of the firmware takes.
enum ImageParts {
    static func run(_ setting: HarnessSetting) throws {
        let image = try ELFImage([UInt8](Data(contentsOf: URL(filePath: setting.image))))
        let names = PartNames(table: try DeclarationTable(sources: setting.arguments[0]))
        let demangled = try demangle(image.symbols.filter { $0.size > 0 }.map(\.name))
        let sizes = PartSizes(image) { names.part(of: $0.name, demangled: demangled[$0.name] ?? $0.name) }
        switch setting.arguments.dropFirst().first {
        case nil: print(table(sizes))
        case "--json": print(json(sizes))
        case let other?: throw HarnessFailure("no such option '\(other)'")
        }
    }

    private static func table(_ sizes: PartSizes) -> String {
        sizes.rows.map { row in
            row.part.padding(toLength: max(36, row.part.count), withPad: " ", startingAt: 0)
                + padded(row.flash) + padded(row.ram)
        }.joined(separator: "\n")
    }

    private static func padded(_ count: Int) -> String {
        let text = count == 0 ? "" : "\(count)"
        return String(repeating: " ", count: max(1, 9 - text.count)) + text
    }

    private static func json(_ sizes: PartSizes) -> String {
        "["
            + sizes.rows.map { "{\"part\": \"\($0.part)\", \"flash\": \($0.flash), \"ram\": \($0.ram)}" }
            .joined(separator: ", ") + "]"
    }

    /// What mangled names say, by the toolchain's own command.
    private static func demangle(_ names: [String]) throws -> [String: String] {
        let mangled = Array(Set(names.filter { $0.hasPrefix("$") })).sorted()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swift", "demangle", "--compact"] + mangled
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n").map(String.init)
        try require(lines.count == mangled.count, "swift demangle says \(lines.count) of \(mangled.count) names")
        return Dictionary(uniqueKeysWithValues: zip(mangled, lines))
    }
}
