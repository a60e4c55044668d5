import Foundation

package struct HistoryEntry: Equatable, Sendable {
    /// The position in the history, starting at 1, never reused.
    package var number: Int64
    package var event: Event
    package var item: ItemIdentifier
    /// The item's title at that time; nil if the phone knew no item with this ID.
    package var title: String?
    package var formerTitle: String?
    package var description: Description?
    package var list: String?
    /// When the phone stored the event.
    package var time: Date
    package var origin: Origin

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
        /// The change had no effect, for example because the item was already checked off.
        case repeated
        case unchecked
        case removed
        /// A watch checked off or added an item that the phone does not know.
        case rejected
    }
}

package enum Origin: Equatable, Sendable {
    case command
    case imported
    /// The change came from a program that uses this module, or from a calendar server.
    case phone
    case watch(WatchTap)
}

/// The tap on a watch that made a change. The watch, epoch and sequence together identify the tap.
package struct WatchTap: Equatable, Sendable {
    package var watch: UInt64
    /// A random number that the watch draws each time it starts.
    package var epoch: UInt32
    /// The number of the watch's message to the phone, starting at 1.
    package var sequence: UInt32
    /// The watch's own count of its taps; nil if the watch did not send it.
    package var tap: UInt32?
    /// When the wearer tapped, by the watch's clock: local seconds since 1970. Nil if the watch did not know the time.
    package var localTime: UInt32?
}
