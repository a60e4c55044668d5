import ListFeed
import Wormhole

extension OutboundMessage {
    /// A message of the feed.
    init(_ message: FeedMessage) {
        self.init(name: MessageName(message.name), payload: message.payload)
    }
}

extension MessageName {
    /// The name of `CheckMessage`.
    static let check: MessageName = "check"
    /// The name of `ReloadMessage`.
    static let reload: MessageName = "reload"
    /// The name of `ListMessage`.
    static let list: MessageName = "list"
    /// The name of `TitleMessage`.
    static let title: MessageName = "title"
    /// The name of `ComplicationMessage`.
    static let complication: MessageName = "complication"

    /// The name of a message of the feed.
    init(_ name: FeedMessage.Name) {
        switch name {
        case .list: self = .list
        case .title: self = .title
        case .complication: self = .complication
        }
    }
}
