/// What the wearer has to know beyond the state of the link: words on the status sheet.
public enum WatchNotice: UInt8, Sendable, BitwiseCopyable {
    /// Nothing.
    case none
    /// The last thing that was done could not be stored.
    case notStored
    /// The flash chip fails: what is done is stored only as long as the present bank has room.
    case flashFailing
    /// Records were found damaged at the start. Check-offs may be among them; the list comes again from the phone.
    case recordsLost
    /// The phone belongs to somebody else: it was refused, because check-offs for this watch's own phone wait.
    case otherPhone
    /// Another watch with the same identity took this one's place.
    case replaced
    /// The phone was put back to an older state and has lost check-offs of this watch.
    case phoneRestored

    /// The notice in two short lines, nil for none.
    package var lines: (StaticString, StaticString)? {
        switch self {
        case .none: nil
        case .notStored: ("Not stored:", "flash failing")
        case .flashFailing: ("Flash failing:", "no room soon")
        case .recordsLost: ("Flash damaged:", "check-offs lost?")
        case .otherPhone: ("This watch has", "another phone")
        case .replaced: ("In use twice:", "another watch")
        case .phoneRestored: ("Phone restored:", "check-offs lost")
        }
    }
}
