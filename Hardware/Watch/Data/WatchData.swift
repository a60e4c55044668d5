import WatchLink

/// Everything that the watch keeps across a restart. What is in RAM here is the truth; the journal is its shadow in flash.
struct WatchData {
    /// Which watch this is, and which stream of messages it is sending.
    var identity: StoredIdentity = .unknown
    /// How far the streams of messages have come.
    var positions = LinkPositions()
    /// The list on the wrist.
    var items: ItemList
    /// Items of the phone's list beyond those on the wrist.
    var more: UInt32 = 0
    /// The list's name.
    var title = ItemTitle()
    /// When the last item of a list was checked off.
    var lastTrip: LastTrip = .never
    /// The complication's entries.
    var timeline: Timeline
    /// Messages to the phone.
    var outbox: Outbox
    /// The token of the last reload that has arrived in full, 0 before the first.
    var reloaded: UInt32 = 0

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { ItemList.memorySize + Timeline.memorySize + Outbox.memorySize }

    /// No data yet, with the memory for all of it taken from `arena`.
    init(arena: inout MemoryArena) {
        items = ItemList(arena: &arena)
        timeline = Timeline(arena: &arena)
        outbox = Outbox(arena: &arena)
    }
}

/// Who the watch is on the wire.
enum StoredIdentity: Sendable, Equatable, BitwiseCopyable {
    /// Nothing is stored: a new watch, or one whose flash was erased.
    case unknown
    /// A random number for the watch, and one for its present stream of messages.
    case known(identity: UInt64, epoch: UInt32)
}

/// What the watch has seen of the phone's streams.
struct LinkPositions: Sendable, Equatable, BitwiseCopyable {
    /// The epoch of the phone's streams, 0 before the first.
    var peerEpoch: UInt32 = 0
    /// The last queued message of that epoch that was applied.
    var queuedApplied: UInt32 = 0
    /// The last revision of a latest value of that epoch that was applied.
    var latestApplied: UInt32 = 0
}

/// When the wearer was last done with a list.
enum LastTrip: Sendable, Equatable, BitwiseCopyable {
    /// Not yet, as far as the watch knows.
    case never
    /// At this time.
    case ended(LocalTime)
}

/// What a change of the data means for the panel.
enum DataEffect: Sendable, BitwiseCopyable {
    /// Rows and the remaining count may have changed.
    case list
    /// The list's name may have changed.
    case title
    /// What the complication says may have changed, and nothing else.
    case complication
    /// Rows that this watch is not given went by, and more of them will: nothing has changed.
    case passing
    /// The last of them went by.
    case passed
}
