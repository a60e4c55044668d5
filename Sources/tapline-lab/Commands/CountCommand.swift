import ArgumentParser
import CommandSupport
import DeviceModel
import Emulator
import Foundation
import HostSystem
import TapLatency

struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count",
        abstract: "Count what the handlers of a package execute on the watch's processor.",
        discussion: """
            A handler is a public type that conforms to TapHandler, with an initializer without arguments, in a library of a \
            package that depends on Tapline. The command builds the package's handlers with the watch's runtime for a Cortex-M4, \
            executes them on lists of 8, 32 and 128 items with short and with long titles, and prints the cost of each stage. It \
            writes the counts to \(HandlerCounts.fileName) in the package: add that file to your repository, so that tests that \
            expect a time know the cost of your stages.

            If code does not build for the watch, which has no heap, the command names it and what to use instead.

            EXAMPLES
              tapline count
              tapline count --package Tests/Examples --handler PartyHandler
              tapline count --json counts.json
            """)

    @Option(help: ArgumentHelp("The package's directory.", valueName: "directory"))
    var package: String = "."

    @Option(
        help: ArgumentHelp(
            "Count only the handler of this type, and do not write the counts to the package.", valueName: "type"))
    var handler: String?

    @Option(
        help: ArgumentHelp(
            "The device: memory-lcd, colour-spi, instant, or a JSON5 file such as Simulator/profile.json5.",
            valueName: "profile"),
        completion: .profiles)
    var profile: String = DeviceProfile.memoryLCD.name

    @Option(help: ArgumentHelp("Taps on each list, 1 to 100,000.", valueName: "n"))
    var taps: Int = 20

    @Option(
        help: ArgumentHelp(
            "The most instructions of a stage before it is stopped, 1,000,000 to 1,000,000,000,000.", valueName: "n"))
    var limit: UInt64 = 500_000_000

    @Option(help: ArgumentHelp("Write the counts as JSON; - for standard output.", valueName: "file"))
    var json: String?

    func validate() throws {
        guard (1...100_000).contains(taps) else { throw ValidationError("--taps is 1 to 100000.") }
        guard (1_000_000...1_000_000_000_000).contains(limit) else {
            throw ValidationError("--limit is 1000000 to 1000000000000.")
        }
    }

    func run() throws {
        let device = try DeviceProfile(option: profile)
        let file = try json.map { path throws(ReportFileError) in try ReportFile(path: path) }
        let package = try HandlerPackage(directory: package)
        let (counted, failures) = try count(package, on: device)
        if failures.isEmpty || !counted.isEmpty { try write(counted, of: package, on: device, to: file) }
        // The last failure is thrown as this command's own error.
        for failure in failures.dropLast() { ProgressLine().say("Error: \(failure)") }
        if let last = failures.last { throw CommandFailure(last.description) }
    }

    /// Counts the instructions of each handler. If the count of one handler fails, the other handlers are still counted.
    private func count(
        _ package: HandlerPackage, on device: DeviceProfile
    ) throws -> (counted: [HandlerCount], failures: [TapLatencyError]) {
        let progress = ProgressLine()
        defer { progress.end() }
        let path = try ExecutableHandlers(of: package, only: handler).image(show: progress.show, say: progress.say)
        var image = try LabImage(file: path)
        image.stepLimit = limit
        let counting = HandlerCounting(image, on: device, taps: taps)
        var counted: [HandlerCount] = []
        var failures: [TapLatencyError] = []
        let lists = HandlerCounting.listCount
        for (place, found) in image.handlers.enumerated() {
            do throws(TapLatencyError) {
                let count = try counting.count(handler: place) { list in
                    progress.show(place * lists + list, of: image.handlers.count * lists, found.name)
                }
                counted.append(count)
            } catch {
                failures.append(error)
            }
        }
        return (counted, failures)
    }

    private func write(
        _ counted: [HandlerCount], of package: HandlerPackage, on device: DeviceProfile, to file: ReportFile?
    ) throws {
        let places = package.folders + ["Package.swift"]
        let sources = PackageSources(directory: package.directory).checksums(of: places)
        let counts = HandlerCounts(profile: device, places: places, sources: sources, handlers: counted)
        if handler == nil {
            try ReportFile(path: "\(package.directory)/\(HandlerCounts.fileName)").write(counts.json)
        }
        try file?.write(counts.json)
        if file?.isStandardOutput == true { return }
        try StandardOutput.write(counts.text(on: device).forStandardOutput)
    }
}
