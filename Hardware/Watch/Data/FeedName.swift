import WatchLink

/// The messages that the watch accepts.
enum FeedName: UInt8, Sendable, BitwiseCopyable {
    case list
    case title
    case complication
    case past

    /// The message with this name, nil for one that the watch does not accept.
    init?(_ utf8: Span<UInt8>) {
        switch ApplicationMessage(name: utf8) {
        case .list: self = .list
        case .title: self = .title
        case .complication: self = .complication
        case .past: self = .past
        case .check, .reload, .add, nil: return nil
        }
    }

    /// The message that records of this kind store, nil for other kinds.
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

    var delivery: LinkDelivery {
        switch self {
        case .list: ListMessage.delivery
        case .title: TitleMessage.delivery
        case .complication: ComplicationMessage.delivery
        case .past: ApplicationMessage.past.delivery
        }
    }

    /// The kind of the records that store the message.
    var recordKind: RecordKind {
        switch self {
        case .list: .listChanges
        case .title: .title
        case .complication: .timeLine
        case .past: .pastItems
        }
    }
}
