import DeviceModel

/// How far the host is with asking what the screen says.
enum Inquiry: Equatable {
    /// What was answered holds: nothing has happened since.
    case answered
    /// Something has happened: the question is to be sent.
    case due
    /// The question was sent when the board had handled this input; the answer is as new as that.
    case asked(InputNumber)
    /// Something has happened since the question was sent: another one follows the answer.
    case askedTooEarly(InputNumber)

    /// After the board has done something.
    var afterWork: Inquiry {
        switch self {
        case .answered, .due: .due
        case .asked(let handled), .askedTooEarly(let handled): .askedTooEarly(handled)
        }
    }
}
