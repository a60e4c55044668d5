import Watch
import WatchLink

/// A message between a program on the phone and the watch's tap handler.
public struct ProgramMessage: Sendable, Equatable {
    /// How the message was sent, and by which side.
    public enum Way: Sendable, Equatable {
        /// Sent as a latest value: only the newest value under a name counts.
        case latest
        /// Sent as a queued message: every message is delivered.
        case queued
        /// Sent as a question of the watch.
        case asked
        /// Sent as the watch's reply to a question of the phone, with its status.
        case replied(ReplyStatus)
        /// The watch has rejected a message of the phone, for this reason.
        case rejected(RejectionReason)
    }

    /// The message's name, which the handler declares.
    public let name: String
    /// How the message was sent.
    public let way: Way
    /// The message's value: one CBOR data item, or empty.
    public let payload: [UInt8]

    /// The decoded value. Nil if the payload is no value of this type.
    public func value<Value: MessageValue>(_ type: Value.Type = Value.self) -> Value? {
        var reader = CBORReader(payload.span)
        return try? Value(from: &reader)
    }

    /// The encoded value. Traps if it has more than 512 bytes, which no watch accepts.
    package static func bytes(of value: some MessageValue) -> [UInt8] {
        do throws(CBORError) {
            return try [UInt8](capacity: 512) { writer throws(CBORError) in try value.encode(into: &writer) }
        } catch {
            preconditionFailure("the value is longer than any watch takes")
        }
    }
}
