import Foundation

package struct HistoryEntry: Equatable, Sendable {
    /// Unique ID, starting at 1, never reused. Later entries have higher numbers.
    package var number: Int64
    package var event: Event
    package var item: ItemIdentifier
    /// The item's title after the event; nil if the phone knew no item with this ID.
    package var title: String?
    package var formerTitle: String?
    package var description: Description?
    package var list: String?
    /// When the phone stored the event. A check-off from a calendar server has the server's time instead, if that is earlier.
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
        /// A tap on a watch had no effect, for example because the item was already checked off.
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
    /// The change came from a calendar server, or from a program that calls the public `PhoneStore.add`.
    case phone
    case watch(WatchTap)
}

/// A tap on a watch, from which the phone made a history entry. The watch, epoch and sequence together identify the tap.
package struct WatchTap: Equatable, Sendable {
    package var watch: UInt64
    /// A random number that the watch chose at its last start before the tap.
    package var epoch: UInt32
    /// The number of the message in which the watch reported the tap. A watch numbers its messages from 1.
    package var sequence: UInt32
    /// The number of the tap in the watch's trace; nil if the watch did not send it.
    package var tap: UInt32?
    /// When the wearer tapped, by the watch's clock: local seconds since 1970. Nil if the watch did not know the time.
    package var localTime: UInt32?
}
