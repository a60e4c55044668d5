enum StoredIdentity: Equatable, BitwiseCopyable {
    /// Nothing is stored: the watch is new, or its flash was erased.
    case unknown
    /// The number of the watch, and the epoch in which it was drawn.
    case known(identity: UInt64, epoch: UInt32)
}

/// What a phone is to this watch.
enum PhoneRelation: BitwiseCopyable {
    /// The first that it meets.
    case first
    /// The one whose list it has.
    case own
    /// Another one.
    case other
}

/// The phones that a watch has belonged to, as far as it remembers them.
///
/// What was issued to the former one lets that one find out, when the watch comes back to it, that its database has lost
/// some of it.
struct PhoneLineage: Equatable, BitwiseCopyable {
    /// The identity of the phone whose list this is, nil before the first link.
    var own: UInt64?
    /// The one before it, nil for none.
    var former: UInt64?
    /// The last message that the former one has acknowledged.
    var formerEnd = OutboxEnd.none
    /// The last message that the own one has acknowledged before the former one's time.
    var resumed = OutboxEnd.none

    /// Moves on to another phone, after the last message that the present one has acknowledged.
    mutating func moveOn(to identity: UInt64, after end: OutboxEnd) {
        resumed = former == identity ? formerEnd : .none
        (former, formerEnd) = (own, end)
        own = identity
    }
}

extension WatchData {
    /// What a phone with an identity is to this watch.
    func relation(to identity: UInt64) -> PhoneRelation {
        guard let own = phones.own else { return .first }
        return own == identity ? .own : .other
    }
}
