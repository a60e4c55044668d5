import DeviceModel
import Foundation
import Testing
import Watch
import WatchLink

@testable import TapLatency

/// The lab takes the time of a handler's own code, outside its stages, from `tapline count`. Without a count, that time
/// is unknown.
struct OwnCodeTests {
    private struct Plain: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(ListModel.self)
            Immediate(StrikeThrough.self)
            Immediate(RowRemoval.self)
        }
    }

    /// A handler that runs stages in its own code, so the lab cannot list them.
    private struct Opaque: TapHandler {
        var deferredCount: Int { 0 }

        func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
            Immediate(SlowStage.self).runImmediate(tap, on: &watch)
            StrikeThrough.run(tap, on: &watch)
        }

        func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    private func conditions<Handler: TapHandler>(
        _ handler: Handler, immediate: Int, deferred: Int, stages: [StageCount]? = nil
    ) -> Conditions {
        func count(_ placement: StagePlacement, _ cycles: Int) -> StageCount {
            StageCount(name: "", placement: placement, cases: [Self.stageCase(cycles)])
        }
        let counts = HandlerCounts(
            profile: .memoryLCD, places: [], sources: ["a": 1],
            handlers: [
                HandlerCount(
                    name: String(reflecting: Handler.self), stages: stages ?? Self.listed(handler),
                    around: [count(.immediate, immediate), count(.deferred, deferred)], stackBytes: 1)
            ])
        var conditions = Conditions(items: 20, taps: 3)
        conditions.counts = counts
        return conditions.of(handler)
    }

    private static func listed(_ handler: some TapHandler) -> [StageCount] {
        (StageSequence(of: handler)?.stages ?? []).map {
            StageCount(name: $0.name, placement: $0.placement, cases: [stageCase(100)])
        }
    }

    private static func stageCase(_ cycles: Int) -> StageCase { .sample(items: 32, cycles: cycles) }

    @Test func `what comes before the update delays it, and what comes after it does not`() throws {
        func update(_ immediate: Int, _ deferred: Int) throws -> UInt64 {
            let report = try conditions(Plain(), immediate: immediate, deferred: deferred).report(
                of: Plain(), called: "plain")
            #expect(report.ownCode == .counted)
            return try #require(report.marks.updated).p50
        }
        let alone = try update(0, 0)
        // 6,400,000 cycles at 64 MHz are 100 ms. A tap and its update may begin at any fraction of a microsecond, so
        // rounding can add 2 us.
        let delayed = try update(6_400_000, 0)
        #expect((alone + 99_998...alone + 100_002).contains(delayed), "\(delayed) after \(alone)")
        #expect((alone - 1...alone + 1).contains(try update(0, 6_400_000)))
    }

    private static func pair(_ next: some TapHandler) -> some TapHandler {
        TapHandlerBuilder.buildPartialBlock(accumulated: Immediate(Haptic.self), next: next)
    }

    @Test func `compositions and Tapline's own handlers have no code of their own`() {
        let conditions = Conditions(items: 20, taps: 1)
        #expect(conditions.of(ShippingHandler()).ownCode == .none)
        #expect(conditions.of(LegacyHandler()).ownCode == .none)
        #expect(conditions.of(StageSequence([.immediate(SlowStage.self)])).ownCode == .none)
        #expect(conditions.of(Self.pair(NoStages())).ownCode == .none)
        #expect(conditions.of(Plain()).ownCode == .notCounted(reason: nil))
        #expect(conditions.of(Self.pair(Plain())).ownCode == .notCounted(reason: nil))
    }

    @Test func `a handler without counted instructions keeps no budget`() throws {
        let report = try measure(Plain(), taps: 1)
        #expect(report.ownCode == .notCounted)
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .seconds(60)) }
        #expect(error?.description.hasPrefix("handler 'plain' may compute something around its stages") == true)
        try measure(try #require(StageSequence(of: Plain())), taps: 1).require(.updated, within: .milliseconds(8))
    }

    @Test func `counts of another processor are not of this one`() {
        var other = conditions(Plain(), immediate: 1, deferred: 1)
        other.counts?.processor.cyclesPerInstruction += 1
        #expect(other.of(Plain()).ownCode == .notCounted(reason: nil))
    }

    @Test func `a handler that cannot be taken apart takes its own code and the stages that were counted in it`() throws
    {
        let slow = StageCount(name: "slow", placement: .immediate, cases: [Self.stageCase(640_000)])
        let counted = try conditions(Opaque(), immediate: 64_000, deferred: 0, stages: [slow]).report(
            of: Opaque(), called: "opaque")
        #expect(counted.processor == .counted)
        let time = try #require(counted.marks.updated).p50
        let bare = try conditions(Opaque(), immediate: 0, deferred: 0, stages: []).report(
            of: Opaque(), called: "opaque")
        #expect(time == (try #require(bare.marks.updated).p50) + 11_000)
        #expect(bare.stages.first?.instructionCount == .notCounted)
        #expect(throws: TapLatencyError.self) { try bare.require(.updated, within: .seconds(60)) }
        try counted.require(.updated, within: .milliseconds(60))
    }

    @Test func `a handler that has run other stages than it lists, or one more often, keeps no budget`() throws {
        func ownCode(_ change: (inout [StageCount]) -> Void) -> OwnCode {
            var stages = Self.listed(Plain())
            change(&stages)
            return conditions(Plain(), immediate: 0, deferred: 0, stages: stages).ownCode
        }
        guard case .counted = ownCode({ _ in }) else {
            Issue.record("it runs what it lists")
            return
        }
        #expect(
            ownCode { $0.append(StageCount(name: "x", placement: .immediate, cases: $0[0].cases)) } == .runsOtherStages)
        #expect(ownCode { $0[0].placement = .deferred } == .runsOtherStages)
        #expect(ownCode { $0[0].cases[0].runs = 2_000 } == .runsOtherStages)
        #expect(ownCode { $0.removeLast() } == .runsOtherStages)
        let own = ownCode { $0.removeLast() }
        #expect(own.reason?.contains("tapline lab --package") == true)
    }

    private enum Two: TapHandler {
        case first, second
        var deferredCount: Int { 0 }
        func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
        func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `a handler of several values is not the one that was counted`() {
        #expect(conditions(Two.second, immediate: 1, deferred: 1).ownCode == .dependsOnValue)
    }

    private struct Generic<Number>: TapStage {
        static var name: StaticString { "generic" }
        static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `a generic stage is charged as in its own handler, and in no other's`() throws {
        let stage = StageCount(name: "generic", placement: .immediate, cases: [Self.stageCase(640)])
        let known = conditions(Opaque(), immediate: 0, deferred: 0, stages: [stage])
        let sequence = known.of(StageSequence([.immediate(Generic<Int>.self)]))
        #expect(sequence.table(for: [.immediate(Generic<Int>.self)], remaining: 20).stages["generic"] == nil)
        #expect(known.table(for: [.immediate(Generic<Int>.self)], remaining: 20).stages["generic"] != nil)
    }

    @Test func `a budget that the handler's own code breaks names that code`() throws {
        let report = try conditions(Plain(), immediate: 6_400_000, deferred: 0).report(of: Plain(), called: "plain")
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(8)) }
        #expect(error?.description.hasSuffix("the code around its stages takes 100 ms of it") == true)
    }
}

/// Counts are valid only for the sources that were counted. An unknown cost is never zero.
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
        let cases = [8, 32, 128].map { StageCase.sample(items: $0, cycles: cycles + $0) }
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
        #expect(reason() == "it was not counted\(command)")
        try Data("{}".utf8).write(to: URL(filePath: "\(directory)/\(HandlerCounts.fileName)"))
        #expect(reason().hasSuffix("has an unknown or damaged form\(command)"))
        var counts = Self.counts(package.checksums(of: ["Sources/Mine", "Package.swift"]))
        counts.format = 99
        try write(counts)
        #expect(reason().hasSuffix("has an unknown or damaged form\(command)"))
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
        return conditions.table(for: [.immediate(SlowStage.self)], remaining: 20).stages["slow"]?.cycles
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
        // The counts belong to a processor, not to a profile's name.
        counts.processor = DeviceProfile.memoryLCD.processor
        counts.processor.cyclesPerInstruction += 1
        #expect(try cycles(counts) == nil)
        counts.processor = DeviceProfile.memoryLCD.processor
        // Another profile has the same processor.
        #expect(try cycles(counts, on: try #require(DeviceProfile.named("colour-spi"))) == 640_032)
        var slow = DeviceProfile.memoryLCD
        slow.processor.clockHertz = 32_000_000
        #expect(try cycles(counts, on: slow) == nil)
    }
}

struct MessageSamplesTests {
    @Test(arguments: [1, 2, 5, 16, 24, 26, 79, 80])
    func `each is one item of CBOR that fits, and the longest text and bytes are among them`(size: Int) throws {
        let samples = MessageSamples.values(upTo: size)
        for sample in samples {
            var reader = CBORReader(sample.span)
            try reader.skip()
            let isWhole = reader.isAtEnd
            #expect(isWhole, "\(sample)")
            #expect(sample.count <= size)
        }
        #expect(samples.filter { $0.count == size }.contains { $0[0] >> 5 == 2 })
        #expect(samples.filter { $0.count == size }.contains { $0[0] >> 5 == 3 })
    }

    @Test func `files are short and as long as they may be, and one is a picture where there is room`() {
        #expect(MessageSamples.files(upTo: 0).isEmpty)
        #expect(MessageSamples.files(upTo: 20).map(\.count) == [1, 20])
        let files = MessageSamples.files(upTo: 4_096)
        #expect(files.map(\.count) == [1, 11 + 18 * 168, 4_096])
        #expect(files[1].starts(with: Array("P4\n144 168\n".utf8)))
    }
}
