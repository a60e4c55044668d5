import Watch
import WatchLink

/// A message between a program on the phone and the watch's handler, under a name of the handler.
public struct ProgramMessage: Sendable, Equatable {
    /// How it was passed.
    public enum Way: Sendable, Equatable {
        /// As a latest value.
        case latest
        /// As a queued message.
        case queued
        /// As a question of the watch.
        case asked
        /// As the watch's answer to a question of the phone, with its status.
        case replied(ReplyStatus)
        /// The watch has rejected the phone's message, for this reason.
        case rejected(RejectionReason)
    }

    /// The name.
    public let name: String
    /// How it was passed.
    public let way: Way
    /// Its value, one CBOR data item; empty if there is none.
    public let payload: [UInt8]

    /// The value; nil if it is not of this type.
    public func value<Value: MessageValue>(_ type: Value.Type = Value.self) -> Value? {
        var reader = CBORReader(payload.span)
        return try? Value(from: &reader)
    }

    /// The bytes of a value. Traps if they are more than 512, which no watch accepts.
    package static func bytes(of value: some MessageValue) -> [UInt8] {
        do throws(CBORError) {
            return try [UInt8](capacity: 512) { writer throws(CBORError) in try value.encode(into: &writer) }
        } catch {
            preconditionFailure("the value is longer than any watch takes")
        }
    }

    /// The body of its frame: the name and the value.
    var body: [UInt8] {
        do throws(CBORError) {
            return try [UInt8](capacity: payload.count + 64) { writer throws(CBORError) in
                try writer.text(Array(name.utf8).span)
                try writer.raw(payload.span)
            }
        } catch {
            preconditionFailure("a name has at most 32 bytes")
        }
    }
}
