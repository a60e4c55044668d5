package enum Promise: String, Codable, CaseIterable, Sendable {
    case feltIsKept = "felt is kept"
    case nothingInvented = "nothing is invented"
    case inSyncIsTrue = "in sync is true"
    case boundedCost = "a bad peer costs bounded work"
    case onlyYourPhone = "only your phone and your watch"
    /// After the faults, watch and phone report that they are in sync, or two ends of a wormhole finish all deliveries.
    case converges = "watch and phone come together again"
    // Deliveries between two ends of a wormhole.
    case queuedOnce = "queued comes once, in order"
    case newestWins = "the newest value wins"
    case ownReply = "a question gets its own reply, or an error"
    case budgetHolds = "complications keep to their budget"
    case fileIsWhole = "a file is whole, or its sender is told"
    // Two phones that share a list on a calendar server.
    case listsAgree = "two phones and their server come to the same list"
    case nothingDeleted = "nothing is deleted that no editor removed"
    case removedStays = "what was removed stays removed"
    case changeKept = "a change stays until an editor who saw it makes another"
    case othersTextStays = "what other programs wrote stays"
    /// No seed crashes or blocks the process that runs it.
    case staysUp = "the program stays up"
}

package struct Violation: Codable, Equatable, Sendable {
    package var promise: Promise
    package var what: String

    init(_ promise: Promise, _ what: String) {
        self.promise = promise
        self.what = what
    }
}

struct Outcome: Equatable, Sendable {
    var violation: Violation?
    /// `story` and `log` are empty unless the plan ran with `told: true`.
    var story: [String]
    var tally: Tally
    var log: [String]

    func count(_ fault: Fault) -> Int { tally.faults[fault.rawValue, default: 0] }
}

package struct Tally: Codable, Equatable, Sendable {
    var plans = 0
    var faults: [String: Int] = [:]
    var results: [String: Int] = [:]

    mutating func add(_ other: Tally) {
        plans += other.plans
        faults.merge(other.faults, uniquingKeysWith: +)
        results.merge(other.results, uniquingKeysWith: +)
    }
}
