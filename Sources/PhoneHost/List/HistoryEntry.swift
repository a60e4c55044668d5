import Foundation

package struct HistoryEntry: Equatable, Sendable {
    /// Its position in the history, starting at 1, never reused.
    package var number: Int64
    package var event: Event
    package var item: ItemIdentifier
    /// The item's title at that time; nil if no item of this ID was known.
    package var title: String?
    /// The earlier title; nil unless the item was renamed.
    package var formerTitle: String?
    /// The amount and note; nil unless they were changed.
    package var description: Description?
    /// The name of the item's list; nil if no item of this ID was known.
    package var list: String?
    /// When the phone stored the event.
    package var time: Date
    package var origin: Origin

    /// An item's amount and note before and after a change.
    package struct Description: Equatable, Sendable {
        package var before: ItemDetail
        package var after: ItemDetail
    }

    package enum Event: String, CaseIterable, Sendable {
        case added
        case renamed
        /// The amount or note was changed.
        case described
        case checked
        /// The item was checked off again, without effect.
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
    /// A command that imported a file.
    case imported
    /// This program, or a calendar server.
    case phone
    case watch(WatchTap)
}

/// A tap on a watch. Its numbers distinguish one check-off from every other.
package struct WatchTap: Equatable, Sendable {
    package var watch: UInt64
    /// The epoch of the watch's run.
    package var epoch: UInt32
    /// The sequence number of the check-off, starting at 1.
    package var sequence: UInt32
    /// The watch's own count of the tap; nil if the watch did not send it.
    package var tap: UInt32?
    /// The watch's time of the tap, in seconds since 1970 in the wearer's time zone; nil if the watch did not know the time.
    package var localTime: UInt32?
}
