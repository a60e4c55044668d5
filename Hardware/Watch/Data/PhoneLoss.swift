/// Whether the phone has lost check-offs that it had acknowledged.
///
/// It is kept in flash before the phone is answered: the phone says it until then, and never again.
enum PhoneLoss: UInt8, BitwiseCopyable {
    /// It has not, or the wearer has read it.
    case none = 0
    /// It has, and the wearer has not read that yet.
    case unread = 1
}
