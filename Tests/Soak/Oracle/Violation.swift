/// What is promised to wearer and owner.
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
    case nothingDeleted = "nothing is deleted that nobody removed"
    case removedStays = "what was removed stays removed"
    case changeKept = "a change stays until somebody who saw it makes another"
    case othersTextStays = "what other programs wrote stays"
    /// The program does not end by itself.
    case staysUp = "the program stays up"
}

/// A promise that was not kept.
package struct Violation: Codable, Equatable, Sendable {
    /// Which.
    package var promise: Promise
    /// What happened, in the words of wearer and owner.
    package var what: String
}
