import Foundation

/// One event in the history of an item.
package struct HistoryEntry: Equatable, Sendable {
    /// The entry's place in the history, from 1, without reuse.
    package var number: Int64
    package var event: Event
    package var item: ItemIdentifier
    /// The item's title at the time; nil where no item of that id was known.
    package var title: String?
    /// Its title before; nil unless it was renamed.
    package var formerTitle: String?
    /// Its amount and note; nil unless it was described.
    package var description: Description?
    /// The name of the list that it was on; nil where no item of that id was known.
    package var list: String?
    /// When the phone stored it.
    package var time: Date
    package var origin: Origin

    /// What is said of an item beside its title, before and after a change.
    package struct Description: Equatable, Sendable {
        package var before: ItemDetail
        package var after: ItemDetail
    }

    package enum Event: String, CaseIterable, Sendable {
        case added
        case renamed
        /// Its amount or note was changed.
        case described
        case checked
        /// It was checked off once more, which changed nothing.
        case repeated
        case unchecked
        case removed
        /// A watch checked off an item that the phone does not know.
        case rejected
    }
}

package enum Origin: Equatable, Sendable {
    /// A command on this machine.
    case command
    /// A file that a command has read.
    case imported
    /// This program, or a calendar server.
    case phone
    case watch(WatchTap)
}

/// A tap on a watch, with the numbers that tell one check-off from every other.
package struct WatchTap: Equatable, Sendable {
    package var watch: UInt64
    /// The epoch of the watch's run in which it was tapped.
    package var epoch: UInt32
    /// The sequence number of the check-off, from 1.
    package var sequence: UInt32
    /// The tap's number as the watch counts them; nil where the watch did not send it.
    package var tap: UInt32?
    /// The watch's time of the tap, in seconds since 1970 in the wearer's time zone; nil where the watch did not know it.
    package var localTime: UInt32?
}
