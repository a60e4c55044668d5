import WatchLink
import Wormhole

@testable import PhoneHost

extension MessageStore {
    func beginRun(_ dependencies: PhoneDependencies) throws(WormholeError) {
        try beginRun { max(UInt32(truncatingIfNeeded: dependencies.random()), 1) }
    }

    func queued(_ sequence: UInt32, to watch: PeerIdentity) throws(WormholeError) -> QueuedMessage.Content? {
        try queue(to: watch, from: sequence, most: 1).first?.content
    }

    /// Applies a message, and returns the outcome that the phone tells the sender.
    func apply(_ message: InboundMessage) throws(WormholeError) -> ApplyOutcome {
        try apply(message).acknowledged
    }
}

extension QueuedMessage.Content {
    var message: OutboundMessage? {
        switch self {
        case .message(let message, _): message
        case .withdrawn: nil
        }
    }
}
