/// How the face counts the hours.
public enum ClockForm: UInt8, Sendable, BitwiseCopyable {
    /// 0 to 23.
    case twentyFourHours = 0
    /// 12, 1 to 11, before noon (AM) and after it (PM).
    case twelveHours = 1

    /// The hour on the face for an hour from 0 to 23.
    func shown(hour: Int) -> Int {
        switch self {
        case .twentyFourHours: hour
        case .twelveHours: hour % 12 == 0 ? 12 : hour % 12
        }
    }

    /// The digits that an hour has at least.
    var hourDigits: Int {
        switch self {
        case .twentyFourHours: 2
        case .twelveHours: 1
        }
    }

    /// "AM" or "PM", nil where the hour says it.
    func half(hour: Int) -> StaticString? {
        switch self {
        case .twentyFourHours: nil
        case .twelveHours: hour < 12 ? "AM" : "PM"
        }
    }
}
