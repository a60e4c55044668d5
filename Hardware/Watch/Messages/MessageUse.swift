/// What a name of a handler's own is for: the delivery, and the side that sends.
///
/// Raw values are in flash with values and never change.
package enum MessageUse: UInt8, BitwiseCopyable {
    case valueToPhone = 0
    case valueFromPhone = 1
    case queueToPhone = 2
    case queueFromPhone = 3
    case questionToPhone = 4
    case questionFromPhone = 5

    /// The latest value of the other side under the same name; nil for other uses, which do not meet.
    var opposite: MessageUse? {
        switch self {
        case .valueToPhone: .valueFromPhone
        case .valueFromPhone: .valueToPhone
        case .queueToPhone, .queueFromPhone, .questionToPhone, .questionFromPhone: nil
        }
    }
}
