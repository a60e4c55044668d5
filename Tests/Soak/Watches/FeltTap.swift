import WatchLink

/// A tap: the wearer's aim, and what the wearer felt.
struct FeltTap {
    enum Deed: Equatable {
        case checkOff
        /// It adds a past item. That is on the list then, if nothing else happens to its title, if the addition is plain: the phone has
        /// all earlier taps on the title, and the title was not bought or removed in the last seconds.
        case addition(isPlain: Bool)
    }

    enum Feeling: Equatable {
        case seen
        case felt(Instant)
        case refused
        /// The watch lost its power, or ended, before anything was felt.
        case cutOff
    }

    /// The known effect of a fault on it.
    enum Fate: Equatable {
        case safe
        /// Its only record was destroyed before the watch could tell the phone. Its loss cannot be noticed.
        case destroyed
        /// Its record was damaged or replaced by an older one. It is lost only if both sides report that.
        case endangered
    }

    var watch: Int
    var deed: Deed
    var title: String
    /// When the touch controller saw the finger.
    var touched: Instant
    var feeling = Feeling.seen
    var fate = Fate.safe
    /// Whether its watch still has a record of it, as far as faults go: no older flash or other watch's was put in its place.
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
