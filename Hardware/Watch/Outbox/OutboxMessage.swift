import WatchLink

/// A message that waits to be acknowledged by the phone.
public enum OutboxMessage: Sendable, BitwiseCopyable, Equatable {
    /// An item was checked off.
    case checkOff(ItemID, at: LocalTime?)
    /// Every row of the phone's list is asked for again; the answer carries the token.
    case reload(token: UInt32)

    /// Writes the datagram that carries the message.
    ///
    /// - Parameter tap: the tap that it comes from, if it is known.
    @inline(never)
    func encodeFrame(sequence: UInt32, tap: TapNumber?, into writer: inout CBORWriter) throws(CBORError) {
        switch self {
        case .checkOff(let id, let time):
            let message = CheckMessage(item: id.rawValue, localTime: time?.seconds, tap: tap?.count)
            try message.encodeFrame(sequence: sequence, into: &writer)
        case .reload(let token):
            try ReloadMessage(token: token, extent: .everything).encodeFrame(sequence: sequence, into: &writer)
        }
    }
}
