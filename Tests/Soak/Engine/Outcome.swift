package enum Promise: String, Codable, CaseIterable, Sendable {
    case feltIsKept = "felt is kept"
    case nothingInvented = "nothing is invented"
    case inSyncIsTrue = "in sync is true"
    case boundedCost = "a bad peer costs bounded work"
    case onlyYourPhone = "only your phone and your watch"
    /// Once the faults are over and everything is connected, both sides come to say that they are in sync.
    case converges = "watch and phone come together again"
    // Of the deliveries between two ends of a wormhole.
    case queuedOnce = "queued comes once, in order"
    case newestWins = "the newest value wins"
    case ownReply = "a question gets its own reply, or an error"
    case budgetHolds = "complications keep to their budget"
    case fileIsWhole = "a file is whole, or its sender is told"
    // Of two phones that share a list on a calendar server.
    case listsAgree = "two phones and their server come to the same list"
    case nothingDeleted = "nothing is deleted that no editor removed"
    case removedStays = "what was removed stays removed"
    case changeKept = "a change stays until an editor who saw it makes another"
    case othersTextStays = "what other programs wrote stays"
    /// The program does not end by itself.
    case staysUp = "the program stays up"
}

package struct Violation: Codable, Equatable, Sendable {
    package var promise: Promise
    /// What happened, in the words of wearer and owner.
    package var what: String

    init(_ promise: Promise, _ what: String) {
        self.promise = promise
        self.what = what
    }
}

struct Outcome: Equatable, Sendable {
    /// The broken promise; nil if all were kept.
    var violation: Violation?
    /// The story in plain words; empty unless requested.
    var story: [String]
    var tally: Tally
    /// The log lines of the programs; empty unless the story was requested.
    var log: [String]

    func count(_ fault: Fault) -> Int { tally.faults[fault.rawValue, default: 0] }
}

/// The counts of one scenario's plans.
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
