import WatchLink
import Wormhole

@testable import PhoneHost

extension MessageStore {
    /// Begins a run, with epochs from a phone's randomness.
    func beginRun(_ dependencies: PhoneDependencies) throws(WormholeError) {
        try beginRun { max(UInt32(truncatingIfNeeded: dependencies.random()), 1) }
    }

    /// The message with a sequence in the queue of a watch; nil if it is not there.
    func queued(_ sequence: UInt32, to watch: PeerIdentity) throws(WormholeError) -> QueuedMessage.Content? {
        try queue(to: watch, from: sequence, most: 1).first?.content
    }

    /// Applies a message that has arrived by itself, and returns what its peer is told.
    func apply(_ message: InboundMessage) throws(WormholeError) -> ApplyOutcome {
        try apply(message).acknowledged
    }
}

extension QueuedMessage.Content {
    /// The message, where it was not taken back.
    var message: OutboundMessage? {
        switch self {
        case .message(let message, _): message
        case .withdrawn: nil
        }
    }
}
