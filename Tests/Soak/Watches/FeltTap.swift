import WatchLink

/// What a wearer meant by a tap, and what the wearer felt.
struct FeltTap {
    enum Deed: Equatable {
        case checkOff
        /// The tap adds a past item. If `isPlain` is true, the list must then have an item with this title, unless the
        /// title is tapped or edited later.
        case addition(isPlain: Bool)
    }

    enum Feeling: Equatable {
        case seen
        case felt(Instant)
        case refused
        /// The watch lost its power before the wearer felt anything.
        case cutOff
    }

    /// What the simulation's faults did to the record of the tap.
    enum Fate: Equatable {
        case safe
        /// The only record was destroyed before the phone got it. Neither side can notice the loss.
        case destroyed
        /// The record was damaged, or replaced by an older one. The tap may be lost only if both sides report a loss.
        case endangered
    }

    var watch: Int
    var deed: Deed
    var title: String
    /// When the touch controller detected the finger.
    var touched: Instant
    var feeling = Feeling.seen
    var fate = Fate.safe
    /// Whether the watch's flash can still have a record of the tap. False after an older copy or another watch's flash
    /// replaced the contents.
    var isRemembered = true

    var isPossible: Bool {
        switch feeling {
        case .seen, .felt, .cutOff: true
        case .refused: false
        }
    }

    var isAddition: Bool {
        switch deed {
        case .checkOff: false
        case .addition: true
        }
    }

    var isFelt: Bool {
        switch feeling {
        case .felt: true
        case .seen, .refused, .cutOff: false
        }
    }
}
