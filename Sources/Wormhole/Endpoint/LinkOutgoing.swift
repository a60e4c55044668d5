import HostSystem

/// What one link knows of its peer's queue, and whether it asks the store for more.
struct LinkOutgoing {
    /// Whether the store is being asked what was issued.
    enum LookUp {
        case none
        case asking
    }

    /// The most messages of the queue that are read at once: four windows.
    static let mostAhead = 32

    /// Messages of the queue that are read and not sent, in order.
    private(set) var messages: ArraySlice<QueuedMessage> = []
    /// How often a message of the queue was taken back.
    private(set) var withdrawals = 0
    var lookUp = LookUp.none
    /// How many changes of the store the link was told of.
    var changes = 0
    /// How many of them its session knows.
    let known = WaitableState(0)

    /// Keeps what was read of the queue, unless one of it may have been taken back since it had seen this many withdrawals.
    ///
    /// - Returns: whether it is kept.
    mutating func read(_ messages: [QueuedMessage], after withdrawals: Int) -> Bool {
        guard withdrawals == self.withdrawals else { return false }
        self.messages = messages[...]
        return true
    }

    /// The message of this sequence, where it is the next of those that are read.
    mutating func take(_ sequence: UInt32) -> QueuedMessage? {
        messages.first?.sequence == sequence ? messages.removeFirst() : nil
    }

    /// A message was taken back: what is read and not sent is read again.
    mutating func withdraw() {
        withdrawals += 1
        messages = []
    }
}
