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

    func validate() throws {
        if service?.isEmpty == true { throw ValidationError("Which service? --service takes a command.") }
        if service == nil, within != DurationChoice(milliseconds: 30_000) {
            throw ValidationError("--within goes with --service.")
        }
    }

    /// The most bytes that a service may print.
    private static let mostBytes = 16 << 20

    /// The list in a file, or on the standard input where its name is a dash, behind the service.
    ///
    /// - Throws: `PhoneError` where it cannot be read, has no items or is a recipe without ingredients, `ServiceFailure`.
    func list(from path: String) async throws -> ListImport {
        let bytes = try ListImport.bytes(of: path)
        guard let service else { return try ServiceOptions.plainList(bytes, path == "-" ? "the standard input" : path) }
        let program = FilterProgram(words: ["sh", "-c", service], limit: within, mostBytes: ServiceOptions.mostBytes)
        switch await ServiceOptions.output(of: program, for: bytes) {
        case .failure(let fault): throw ServiceFailure(service: service, reason: fault.description)
        case .success(let printed):
            guard ServiceOptions.isText(printed) else {
                throw ServiceFailure(service: service, reason: "printed something that is no text")
            }
            let list = try ServiceOptions.read(printed)
            guard !list.drafts.isEmpty else { throw ServiceFailure(service: service, reason: "printed no items") }
            return list
        }
    }

    /// What the program prints. A signal that ends this command ends the program first.
    private static func output(
        of program: FilterProgram, for bytes: [UInt8]
    ) async -> Result<[UInt8], FilterProgram.Fault> {
        let signals = StopSignals()
        let work = Task { await program.output(for: bytes) }
        let listener = Task { [arrivals = signals.arrivals] in
            for await _ in arrivals { return work.cancel() }
        }
        let result = await work.value
        listener.cancel()
        return result
    }

    /// The list in what was read from `source`, as people know it.
    private static func plainList(_ bytes: [UInt8], _ source: String) throws(PhoneError) -> ListImport {
        // A binary file, or UTF-16.
        if bytes.contains(0) {
            let reason = "is no text in UTF-8: nothing was added; convert it first, as with iconv -f utf-16 -t utf-8"
            throw .file(path: source, reason: reason)
        }
        let list = try read(bytes)
        guard !list.drafts.isEmpty else {
            throw .file(path: source, reason: "has no items: nothing was added; write each on a line of its own")
        }
        return list
    }

    private static func read(_ bytes: [UInt8]) throws(PhoneError) -> ListImport {
        let list = ListImport(bytes)
        try list.requireItems()
        return list
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self).map { !$0.unicodeScalars.contains(where: isControl) } ?? false
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
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
