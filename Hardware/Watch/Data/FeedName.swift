import WatchLink

/// The names under which the watch takes messages.
enum FeedName: UInt8, Sendable, BitwiseCopyable {
    /// Changes of the list.
    case list
    /// The list's name.
    case title
    /// The complication's time line.
    case complication

    /// The name of a message, nil for one that the watch does not take.
    init?(_ utf8: Span<UInt8>) {
        switch ApplicationMessage(name: utf8) {
        case .list: self = .list
        case .title: self = .title
        case .complication: self = .complication
        case .check, .reload, nil: return nil
        }
    }

    /// The name whose messages are kept in records of this kind, nil where the kind is for something else.
    init?(_ kind: RecordKind) {
        var number: UInt8 = 0
        while let name = FeedName(rawValue: number) {
            if name.recordKind == kind {
                self = name
                return
            }
            number &+= 1
        }
        return nil
    }

    /// How messages of this name are delivered.
    var delivery: LinkDelivery {
        switch self {
        case .list: ListMessage.delivery
        case .title: TitleMessage.delivery
        case .complication: ComplicationMessage.delivery
        }
    }

    /// The kind of record that keeps a message of this name.
    var recordKind: RecordKind {
        switch self {
        case .list: .listChanges
        case .title: .title
        case .complication: .timeLine
        }
    }
}
