/// What was lost, and the wearer has not read yet.
///
/// It is kept in flash, because nobody finds it again: the phone says its loss until it is answered, and the next change of
/// banks leaves the damaged records behind.
struct UnreadLosses: Equatable, BitwiseCopyable {
    enum Loss: UInt8, BitwiseCopyable {
        /// The phone has lost check-offs that it had acknowledged.
        case ofPhone = 1
        /// Records were found damaged at a start.
        case ofRecords = 2
    }

    /// The losses, a bit for each.
    private(set) var bits: UInt8 = 0

    func contains(_ loss: Loss) -> Bool { bits & loss.rawValue != 0 }

    mutating func insert(_ loss: Loss) { bits |= loss.rawValue }

    /// The notice of the one that is told first.
    var notice: WatchNotice {
        if contains(.ofRecords) { return .recordsLost }
        return contains(.ofPhone) ? .phoneRestored : .none
    }

    /// The wearer has read a notice.
    mutating func noteRead(_ notice: WatchNotice) {
        switch notice {
        case .recordsLost: bits &= ~Loss.ofRecords.rawValue
        case .phoneRestored: bits &= ~Loss.ofPhone.rawValue
        case .none, .notStored, .flashFailing, .otherPhone, .replaced: break
        }
    }
}

extension UnreadLosses {
    /// The losses that a record has.
    init(bits: UInt32) {
        self.bits = UInt8(truncatingIfNeeded: bits)
    }
}
