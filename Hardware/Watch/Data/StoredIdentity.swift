enum StoredIdentity: Equatable, BitwiseCopyable {
    /// Nothing is stored: the watch is new, or its flash was erased.
    case unknown
    /// The number of the watch, and the epoch of messages whose records have none: those of an earlier version.
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

extension WatchData {
    /// What a phone with an identity is to this watch.
    func relation(to identity: UInt64) -> PhoneRelation {
        guard let phone else { return .first }
        return phone == identity ? .own : .other
    }

    /// The epoch of messages whose records have none.
    var storedEpoch: UInt32 {
        switch identity {
        case .unknown: 1
        case .known(_, let epoch): max(epoch, 1)
        }
    }
}
