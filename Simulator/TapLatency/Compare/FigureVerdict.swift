/// What has become of a figure between two reports.
package enum FigureVerdict: String, Sendable, CaseIterable, Codable {
    /// It is the same, within the tolerance.
    case kept
    /// It takes longer, by more than the tolerance.
    case slower
    /// It takes less, by more than the tolerance.
    case faster
    /// Fewer taps came so far than did before: the time is of the others alone.
    case fewerTaps = "fewer taps"
    /// It was known, and no longer is: nobody has counted what is executed.
    case notKnown = "not known"
    /// It was there, and is no longer.
    case gone
    /// It was not there, or not known, before.
    case new

    /// Whether the comparison fails by it. A time that is not known any more is never taken for a short one.
    package var isRegression: Bool {
        switch self {
        case .slower, .fewerTaps, .notKnown, .gone: true
        case .kept, .faster, .new: false
        }
    }
}
