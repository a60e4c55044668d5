import Watch
import WatchLink

/// A message between a program on the phone and the watch's tap handler.
public struct ProgramMessage: Sendable, Equatable {
    /// How the message was sent, and by which side.
    public enum Way: Sendable, Equatable {
        /// Sent as a latest value (`Delivery.latest`): only the newest value under a name counts.
        case latest
        /// Sent as a queued message: every message is delivered.
        case queued
        /// Sent by the watch as a question to a program.
        case asked
        /// A question of the phone has ended: the watch replied, or no reply arrived in time (`.late`).
        case replied(ReplyStatus)
        /// The watch has rejected a message of the phone.
        case rejected(RejectionReason)
    }

    /// The message's name, which the handler declares.
    public let name: String
    /// How the message was sent.
    public let way: Way
    /// The message's value as one CBOR data item. Empty if the value was cleared or the message has none.
    public let payload: [UInt8]

    /// Decodes the payload. Returns nil if it is not a value of this type.
    public func value<Value: MessageValue>(_ type: Value.Type = Value.self) -> Value? {
        var reader = CBORReader(payload.span)
        return try? Value(from: &reader)
    }

    /// Encodes a value. Traps if the result has more than 512 bytes, because no watch accepts that.
    package static func bytes(of value: some MessageValue) -> [UInt8] {
        do throws(CBORError) {
            return try [UInt8](capacity: 512) { writer throws(CBORError) in try value.encode(into: &writer) }
        } catch {
            preconditionFailure("the value is longer than any watch takes")
        }
    }
}
