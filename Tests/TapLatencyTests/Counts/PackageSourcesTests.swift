import DeviceModel
import Foundation
import Testing
import Watch

@testable import TapLatency

/// Counts belong to the sources that were counted, and an unknown cost is never zero.
struct PackageSourcesTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "counts-\(UUID().uuidString)").path

    private func makePackage() throws -> PackageSources {
        try FileManager.default.createDirectory(
            atPath: "\(directory)/Sources/Mine/Deep", withIntermediateDirectories: true)
        for (path, text) in [
            ("Package.swift", "//"), ("Sources/Mine/A.swift", "a"), ("Sources/Mine/Deep/B.swift", "b"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: "\(directory)/\(path)"))
        }
        return PackageSources(directory: directory)
    }

    private func write(_ counts: HandlerCounts) throws {
        try Data(counts.json).write(to: URL(filePath: "\(directory)/\(HandlerCounts.fileName)"))
    }

    private static func counts(
        _ sources: [String: UInt32], of handler: String = "Mine.Handler", cycles: Int = 640_000
    ) -> HandlerCounts {
        let cases = [8, 32, 128].map {
            StageCase(
                items: $0, titles: .long, runs: 1, instructions: 1, cycles: Double(cycles), mostInstructions: 1,
                mostCycles: cycles + $0, allowedCycles: cycles...cycles + $0)
        }
        return HandlerCounts(
            profile: .memoryLCD, places: ["Sources/Mine", "Package.swift"], sources: sources,
            handlers: [
                HandlerCount(
                    name: handler, stages: [StageCount(name: "slow", placement: .immediate, cases: cases)], around: [],
                    stackBytes: 1)
            ])
    }

    @Test func `a source that has changed, is new or is gone is named`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let package = try makePackage()
        let counts = Self.counts(package.checksums(of: ["Sources/Mine", "Package.swift"]))
        #expect(
            counts.sources.keys.sorted() == ["Package.swift", "Sources/Mine/A.swift", "Sources/Mine/Deep/B.swift"])
        #expect(package.firstChange(since: counts) == nil)
        for (path, text) in [
            ("A.swift", "c"), ("C.swift", "new"), ("help.c", "int x;"), ("include/help.h", "#define X"),
        ] {
            let file = "\(directory)/Sources/Mine/\(path)"
            let before = FileManager.default.contents(atPath: file)
            try FileManager.default.createDirectory(
                atPath: "\(directory)/Sources/Mine/include", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: file))
            #expect(package.firstChange(since: counts) == "Sources/Mine/\(path)")
            if let before {
                try before.write(to: URL(filePath: file))
            } else {
                try FileManager.default.removeItem(atPath: file)
            }
        }
        try FileManager.default.removeItem(atPath: "\(directory)/Sources/Mine/Deep/B.swift")
        #expect(package.firstChange(since: counts) == "Sources/Mine/Deep/B.swift")
        try Data("// other flags".utf8).write(to: URL(filePath: "\(directory)/Package.swift"))
        #expect(package.firstChange(since: counts) == "Package.swift")
    }

    @Test func `a source behind a link to a folder counts like any other, and a link in a circle ends`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let package = try makePackage()
        try FileManager.default.createDirectory(atPath: "\(directory)/elsewhere", withIntermediateDirectories: true)
        try Data("a".utf8).write(to: URL(filePath: "\(directory)/elsewhere/Linked.swift"))
        for (link, target) in [("linked", "../../elsewhere"), ("circle", ".")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(directory)/Sources/Mine/\(link)", withDestinationPath: target)
        }
        let counts = Self.counts(package.checksums(of: ["Sources/Mine"]))
        #expect(counts.sources["Sources/Mine/linked/Linked.swift"] != nil)
        try Data("b".utf8).write(to: URL(filePath: "\(directory)/elsewhere/Linked.swift"))
        var changed = counts
        changed.places = ["Sources/Mine"]
        #expect(package.firstChange(since: changed)?.hasSuffix("linked/Linked.swift") == true)
    }

    @Test func `a file that counting cannot have written is none`() {
        func counts(_ change: (inout StageCase) -> Void) -> HandlerCounts {
            var counts = Self.counts(["Sources/Mine/A.swift": 1])
            change(&counts.handlers[0].stages[0].cases[0])
            return counts
        }
        #expect(counts { _ in }.isSound)
        #expect(!counts { $0.mostCycles = 0 }.isSound)
        #expect(!counts { $0.mostInstructions = 0 }.isSound)
        #expect(!counts { $0.runs = 0 }.isSound)
        #expect(!counts { $0.mostCycles = -5_000_000 }.isSound)
        #expect(!counts { ($0.mostCycles, $0.allowedCycles) = (.max, 0...Int.max) }.isSound)
        #expect(!counts { $0.mostInstructions = .max }.isSound)
        #expect(!counts { $0.allowedCycles = 1...2 }.isSound)
        #expect(!Self.counts([:]).isSound)
    }

    @Test func `without counts, with others, and with a file that is none, the line names the command`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let package = try makePackage()
        func reason() -> String {
            do throws(TapLatencyError) {
                _ = try PackageSources.counts(around: "\(directory)/Sources/Mine/Deep/B.swift")
                return "found"
            } catch {
                return error.description
            }
        }
        let command = ": run tapline count --package \(directory)"
        #expect(reason() == "nobody has counted it\(command)")
        try Data("{}".utf8).write(to: URL(filePath: "\(directory)/\(HandlerCounts.fileName)"))
        #expect(reason().hasSuffix("is none that this version reads\(command)"))
        var counts = Self.counts(package.checksums(of: ["Sources/Mine", "Package.swift"]))
        counts.format = 99
        try write(counts)
        #expect(reason().hasSuffix("is none that this version reads\(command)"))
        counts.format = HandlerCounts.currentFormat
        counts.sources["Sources/Mine/A.swift"] = 1
        try write(counts)
        #expect(reason() == "Sources/Mine/A.swift has changed since it was counted\(command)")
        try write(Self.counts(package.checksums(of: ["Sources/Mine", "Package.swift"])))
        #expect(reason() == "found")
    }

    private func cycles(_ counts: HandlerCounts, on profile: DeviceProfile = .memoryLCD) throws -> Int? {
        var conditions = Conditions(profile: profile, items: 20, taps: 1)
        conditions.counts = counts
        return try conditions.table(for: [.immediate(SlowStage.self)], remaining: 20).stages["slow"]?.cycles
    }

    @Test func `a counted stage is charged the cycles of the worst tap on a list as long as this one`() throws {
        #expect(try cycles(Self.counts([:], of: "TapLatencyTests.Handler")) == 640_032)
        #expect(try cycles(Self.counts(["Sources/TapLatencyTests/Slow.swift": 1])) == 640_032)
    }

    @Test func `a stage of another module is not the one of its name that was counted`() throws {
        #expect(try cycles(Self.counts(["Sources/Mine/A.swift": 1])) == nil)
    }

    @Test func `what was counted on another processor is not known on this one`() throws {
        var counts = Self.counts([:], of: "TapLatencyTests.Handler")
        for change in [\Processor.flashWaitStates, \.cacheLineBytes] {
            // Whatever name a file gives to its profile.
            counts.processor = DeviceProfile.memoryLCD.processor
            counts.processor[keyPath: change] += 1
            #expect(try cycles(counts) == nil)
        }
        counts.processor = DeviceProfile.memoryLCD.processor
        // Another profile with the same processor.
        #expect(try cycles(counts, on: try #require(DeviceProfile.named("colour-spi"))) == 640_032)
        var slow = DeviceProfile.memoryLCD
        slow.processor.flashWaitStates = 8
        #expect(try cycles(counts, on: slow) == nil)
    }
}
