import WatchLink

/// What a step of the link came to, and what somebody else has to do about it.
enum LinkStep: BitwiseCopyable {
    /// There is nothing to do until something happens or the link's deadline comes.
    case idle
    /// Something was done that concerns nobody else.
    case done
    /// A channel was opened or lost.
    case channelChanged
    /// Phone and watch have met: messages flow from now on. The phone's clock comes along, where it has one.
    case met(localTime: LocalTime?)
    /// A message has to be applied, and then reported to `PhoneLink.applied`. The datagram stays where it is until then.
    case message(MessageHeader, FixedArray<UInt8>, arrivedAt: Instant)
    /// The phone has messages of ours in its store.
    case acknowledged(Acknowledgement)
    /// The phone has said goodbye, or what it sent cannot be understood.
    case closed
    /// The connection was closed from this side.
    case ended(CloseReason)
    /// The queued message of this number has to be given to `PhoneLink.send`.
    case sendQueued(UInt32)
}
