import DeviceModel
import FoundationEssentials
import Watch
import WatchLink

/// The instruction counts of a package's handlers. `tapline count` writes them into a file of the package.
public struct HandlerCounts: Sendable, Codable, Equatable {
    /// The name of the file into which `tapline count` writes the counts, in the package's directory.
    public static let fileName = "tap-counts.json"
    package static let currentFormat = 4

    package var format = HandlerCounts.currentFormat
    package var profile: String
    /// The profile's processor. The profile's name does not identify it, because two profile files may have the same name.
    package var processor: Processor
    /// The folders and source files that were counted, as paths from the package's directory.
    package var places: [String]
    /// The CRC-32 of each source file when it was counted. The keys are paths from the package's directory.
    package var sources: [String: UInt32]
    package var handlers: [HandlerCount]

    package init(profile: DeviceProfile, places: [String], sources: [String: UInt32], handlers: [HandlerCount]) {
        self.profile = profile.name
        processor = profile.processor
        self.places = places
        self.sources = sources
        self.handlers = handlers
    }

    /// Whether all counts are plausible. A user may have edited the file.
    var isSound: Bool {
        !sources.isEmpty
            && handlers.flatMap { $0.stages + $0.around + $0.messages }.flatMap(\.cases).allSatisfy(\.isSound)
    }

    /// Whether the module of `stage` was counted. The stage's name does not tell, because another module may have a stage with
    /// the same name.
    func cover(_ stage: any TapStage.Type) -> Bool {
        let module = String(reflecting: stage).prefix { $0 != "." }
        let folders = sources.keys.flatMap { $0.split(separator: "/").dropLast() }
        return folders.contains(module) || handlers.contains { $0.name.hasPrefix("\(module).") }
    }

    func isCounted(on processor: Processor) -> Bool {
        processor.clockHertz == nil || self.processor == processor
    }

    package var json: [UInt8] { reportJSON() }
}

package struct HandlerCount: Sendable, Codable, Equatable {
    /// The handler's type, with its module's name.
    package var name: String
    package var stages: [StageCount]
    /// The handler's code outside its stages: one count before the update of the panel, and one after. Empty if there is no
    /// such code.
    package var around: [StageCount]
    /// The handler's work for each message, button and file. The name of each count is a title from `MessageTitle`.
    package var messages: [StageCount] = []
    package var stackBytes: Int

    /// Whether the counted taps ran exactly those stages of `listed` that are switched on. False if the handler's own code
    /// skips stages or runs others.
    func ran(_ listed: [PlacedStage]) -> Bool {
        let wanted = listed.filter(\.runs).map { ("\($0.placement.word) \($0.name)", 1) }
        let found = stages.map { ("\($0.placement.word) \($0.name)", $0.cases.map(\.runs).max() ?? 0) }
        return Dictionary(wanted, uniquingKeysWith: +) == Dictionary(found, uniquingKeysWith: +)
    }
}

package struct StageCount: Sendable, Codable, Equatable {
    package var name: String
    package var placement: StagePlacement
    /// One case for each counted list: 8, 32 or 128 items with short or long titles. A list on which the stage did not run has
    /// no case.
    package var cases: [StageCase]

    /// Returns the case with the most cycles, for a list of `items` items. Considers only the shortest counted list that has at
    /// least `items` items. If all lists are shorter, considers the longest.
    package func worst(items: Int) -> StageCase? {
        let length = cases.map(\.items).filter { $0 >= items }.min() ?? cases.map(\.items).max()
        return cases.filter { $0.items == length }.max { $0.mostCycles < $1.mostCycles }
    }

    package var worst: StageCase? { cases.max { $0.mostCycles < $1.mostCycles } }
}

package struct StageCase: Sendable, Codable, Equatable {
    package var items: Int
    package var titles: TitleLength
    package var runs: Int
    /// The mean number of instructions in a tap that runs the stage. If the stage runs several times in the tap, all its runs
    /// count. For a message, button or file, the mean number of instructions in one run.
    package var instructions: Double
    package var cycles: Double
    /// The maximum number of instructions in a tap.
    package var mostInstructions: Int
    package var mostCycles: Int
    /// The fewest and the most cycles that the processor manual allows for the tap that took `mostCycles`.
    package var allowedCycles: ClosedRange<Int>

    /// The maximum plausible number of instructions or cycles. At 64 MHz, that many cycles take three days.
    private static let most = 1 << 44

    /// Whether the counts are plausible: at least one instruction, and at least half as many cycles as instructions.
    var isSound: Bool {
        runs >= 1 && (1...StageCase.most).contains(mostInstructions)
            && (mostInstructions / 2...StageCase.most).contains(mostCycles)
            && allowedCycles.contains(mostCycles) && allowedCycles.upperBound <= StageCase.most
    }
}

/// The current sources of a package. They may differ from the counted ones.
package struct PackageSources: Sendable {
    package let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    private static let endings: Set<Substring> = [
        "swift", "c", "h", "cc", "cpp", "hpp", "m", "s", "S", "inc", "modulemap",
    ]

    /// Returns the CRC-32 of each source file in `places`, by the file's path from the package's directory. Searches folders
    /// with their subfolders.
    package func checksums(of places: [String]) -> [String: UInt32] {
        var checksums: [String: UInt32] = [:]
        for place in places {
            let isFolder = isFolder(place)
            let sources = paths(below: place, depth: PackageSources.deepest).filter { path in
                path.split(separator: ".").last.map(PackageSources.endings.contains) ?? false
            }
            for path in isFolder ? sources : [place] {
                guard let bytes = FileManager.default.contents(atPath: "\(directory)/\(path)") else { continue }
                checksums[path] = CRC32.checksum(of: Array(bytes).span)
            }
        }
        return checksums
    }

    /// The maximum number of folder levels that a search enters. Without it, a link to a parent folder would make the search
    /// endless.
    private static let deepest = 24

    /// Returns the paths of all files below a folder. Follows symbolic links, as the compiler does.
    private func paths(below folder: String, depth: Int) -> [String] {
        guard depth > 0, let names = try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(folder)")
        else { return [] }
        return names.flatMap { name in
            let path = "\(folder)/\(name)"
            return isFolder(path) ? paths(below: path, depth: depth - 1) : [path]
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: "\(directory)/\(path)", isDirectory: &isDirectory) && isDirectory
    }

    package func firstChange(since counts: HandlerCounts) -> String? {
        let present = checksums(of: counts.places)
        return Set(present.keys).union(counts.sources.keys).sorted().first { present[$0] != counts.sources[$0] }
    }

    /// Finds the package of a source file: the nearest directory above the file that has a Package.swift. Nil if there is none.
    package static func around(_ file: String) -> PackageSources? {
        var directory = file
        while let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
            directory = String(directory[..<slash])
            if FileManager.default.fileExists(atPath: "\(directory)/Package.swift") {
                return PackageSources(directory: directory)
            }
        }
        return nil
    }

    static func counts(around file: String) throws(TapLatencyError) -> HandlerCounts {
        guard let package = around(file) else {
            throw .counts("it was not counted, and \(file) is in no package: run tapline count in its package")
        }
        return try package.counts()
    }

    /// Reads the package's counts.
    ///
    /// - Throws: `.counts` if the package was not counted or has changed since, or if the file of the counts is damaged.
    package func counts() throws(TapLatencyError) -> HandlerCounts {
        let path = "\(directory)/\(HandlerCounts.fileName)"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .counts("it was not counted: run tapline count --package \(directory)")
        }
        guard let counts = try? JSONDecoder().decode(HandlerCounts.self, from: bytes),
            counts.format == HandlerCounts.currentFormat, counts.isSound
        else { throw .counts("\(path) has an unknown or damaged form: run tapline count --package \(directory)") }
        if let file = firstChange(since: counts) {
            throw .counts("\(file) has changed since it was counted: run tapline count --package \(directory)")
        }
        return counts
    }
}
