import WatchLink
import Wormhole

/// Checks the outcome of each file that an owner sent to a watch.
struct FileOracle {
    var files: [SentFile]
    var seen: [ShownFiles]
    var faults: Set<Fault>
    var hasForgottenWatch: Bool

    /// Faults that restore an older state, copy a watch's flash, or let another phone serve. A file may then arrive
    /// twice or never.
    private static let resetting: Set<Fault> = [
        .flashRollback, .clone, .databaseRollback, .anotherPhone,
    ]
    /// Faults after which a watch may report that it cannot store a file.
    private static let failing: Set<Fault> = [.flashFailure, .wornFlash]
    /// Faults of the phone's disk. The phone may then refuse a file, forget it, or send it twice.
    private static let losing: Set<Fault> = [.diskFailure, .diskFull]

    /// Returns the first violation. After bit rot it returns nil, because a watch checks a file's hash only on arrival.
    func judge() -> Violation? {
        guard !faults.contains(.bitRot) else { return nil }
        if let violation = judgeSights() { return violation }
        guard faults.isDisjoint(with: FileOracle.resetting), !hasForgottenWatch else { return nil }
        if let violation = judgePresent() { return violation }
        let seen = places
        for file in files {
            let count = seen[file.number, default: []].count
            if count > 1, faults.isDisjoint(with: FileOracle.losing) {
                return violation("file \(file.number) is seen \(count) times")
            }
            if let wrong = wrong(file, isSeen: count > 0) { return violation("file \(file.number) \(wrong)") }
        }
        return nil
    }

    private func violation(_ what: String) -> Violation { Violation(.fileIsWhole, what) }

    private func judgeSights() -> Violation? {
        for watch in seen {
            for sight in watch.all {
                guard let file = SentFile.number(of: sight.bytes).flatMap({ sent($0) }) else {
                    return violation("no phone has sent what is seen on \(watch.wearer)'s watch")
                }
                guard file.bytes == sight.bytes else {
                    return violation(
                        "file \(file.number) is seen on \(watch.wearer)'s watch, and is not what was sent")
                }
            }
        }
        return nil
    }

    private func judgePresent() -> Violation? {
        guard faults.isDisjoint(with: FileOracle.failing) else { return nil }
        for watch in seen {
            guard let newest = watch.all.max(by: { $0.generation < $1.generation }), watch.present != newest else {
                continue
            }
            return violation("\(watch.wearer)'s watch has lost the file that it has shown")
        }
        return nil
    }

    private func sent(_ number: UInt32) -> SentFile? { files.first { $0.number == number } }

    /// The watch on which a file was seen, and the number that this watch gave to the file.
    private struct Place: Hashable {
        var watch: Int
        var generation: UInt32
    }

    private var places: [UInt32: Set<Place>] {
        var places: [UInt32: Set<Place>] = [:]
        for (watch, files) in seen.enumerated() {
            for sight in files.all {
                guard let number = SentFile.number(of: sight.bytes) else { continue }
                places[number, default: []].insert(Place(watch: watch, generation: sight.generation))
            }
        }
        return places
    }

    private func wrong(_ file: SentFile, isSeen: Bool) -> String? {
        let isTooLarge = file.bytes.count > FileShowingHandler.largestFile
        let hasFailed = !faults.isDisjoint(with: FileOracle.failing)
        let isLost = !faults.isDisjoint(with: FileOracle.losing)
        switch file.state {
        case .applied: return isSeen ? nil : "is applied, and was never seen"
        case .failed(let why):
            if isTooLarge, why == FileReason.tooLarge.words { return nil }
            if hasFailed, [FileReason.failed.words, FileReason.wrongHash.words].contains(why) { return nil }
            return "has failed for nothing: \(why)"
        case .notTaken(let why): return isLost ? nil : "is not taken for nothing: \(why)"
        case .untold:
            let isExcused = isTooLarge || hasFailed || isLost
            return isSeen || isExcused ? nil : "is not there, and its sender was not told"
        // If the phone did not answer, it may not know the file. The recipient of a file in transit may have a new
        // identity, and never connect again.
        case .unanswered, .underway: return nil
        }
    }
}
