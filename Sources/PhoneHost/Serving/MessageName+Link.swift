import ListFeed
import WatchLink
import Wormhole

extension OutboundMessage {
    /// A message of the feed.
    init(_ message: FeedMessage) {
        self.init(name: MessageName(message.name), payload: message.payload)
    }
}

extension MessageName {
    /// The name of a message of the list application.
    init(_ message: ApplicationMessage) {
        self.init(stringLiteral: message.text)
    }
}
