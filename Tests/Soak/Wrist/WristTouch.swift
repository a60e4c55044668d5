import WatchLink

/// A touch of a row that a wearer has begun.
struct WristTouch {
    /// The watch, counted from 0.
    var watch: Int
    /// What a touch of that row does.
    var deed: Tap.Deed
    /// What the row said when the wearer looked.
    var title: String
    /// When the finger came down.
    var time: Instant
    /// When the touch controller sees it.
    var interrupt: Instant
}
