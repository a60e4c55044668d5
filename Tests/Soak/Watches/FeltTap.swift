import WatchLink

/// A tap as the wearer meant it and felt it.
struct FeltTap {
    enum Deed: Equatable {
        /// It checks off an item of the list.
        case checkOff
        /// It adds a past item. That is on the list then, if nothing else happens to its title, if the addition is plain: the phone has
        /// all earlier taps on the title, and the title was not bought in the last seconds.
        case addition(isPlain: Bool)
    }

    /// What has come of it on the watch.
    enum Feeling: Equatable {
        /// The row was struck through, and nothing has been felt yet.
        case seen
        case felt(Instant)
        case refused
        /// The watch lost its power, or ended, before anything was felt.
        case cutOff
    }

    /// What a fault has done to it, as far as the simulation can know.
    enum Fate: Equatable {
        case safe
        /// The only record of it was destroyed, on a watch that had told nothing of it, so that its loss cannot be known.
        case destroyed
        /// Its record was damaged or put back: lost only if both sides say so.
        case endangered
    }

    var watch: Int
    var deed = Deed.checkOff
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
