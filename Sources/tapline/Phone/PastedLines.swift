import ArgumentParser
import Foundation
import HostSystem
import PhoneHost

/// Where the lines of a command that adds them go through first, if anywhere: options of `tapline phone add` and `import`.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A program that gets the lines on its standard input and prints those to add.", valueName: "command"))
    var service: String?

    @Option(help: ArgumentHelp("How long the service may take.", valueName: "30s|500ms"))
    var within = DurationChoice(milliseconds: 30_000)

    /// The most bytes that a service may print.
    private static let mostBytes = 16 << 20

    /// The list in a file, or on the standard input where its name is a dash, behind the service.
    ///
    /// - Throws: `PhoneError` where it cannot be read or is a recipe without ingredients, `ServiceFailure`.
    func list(from path: String) async throws -> ListImport {
        let bytes = try ListImport.bytes(of: path)
        guard let service else { return try ServiceOptions.read(bytes) }
        let program = FilterProgram(words: ["sh", "-c", service], limit: within, mostBytes: ServiceOptions.mostBytes)
        switch await program.output(for: bytes) {
        case .failure(let fault): throw ServiceFailure(service: service, reason: fault.description)
        case .success(let printed):
            guard let text = String(validating: printed, as: UTF8.self), !text.unicodeScalars.contains(where: isControl)
            else {
                throw ServiceFailure(service: service, reason: "printed something that is no text")
            }
            let list = try ServiceOptions.read(printed)
            guard !list.drafts.isEmpty else { throw ServiceFailure(service: service, reason: "printed no items") }
            return list
        }
    }

    private static func read(_ bytes: [UInt8]) throws(PhoneError) -> ListImport {
        let list = ListImport(bytes)
        try list.requireItems()
        return list
    }

    private func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar) || scalar.value == 0x7F
    }
}

/// A service has given no lines.
struct ServiceFailure: Error, Equatable, CustomStringConvertible {
    let service: String
    let reason: String

    var description: String {
        "the service `\(PlainLine(service).text)` \(reason): nothing was added; without --service the lines are added as they are"
    }
}
