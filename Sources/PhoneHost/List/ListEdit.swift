import Foundation

/// A change to one item of a list.
public struct ListEdit: Equatable, Sendable {
    /// The item to change.
    public var item: ItemIdentifier
    /// What to do with it.
    public var action: Action

    /// What can be done with an item.
    public enum Action: Equatable, Sendable {
        /// Check it off, at this time.
        case check(at: Date)
        /// Put it back among those that are still to be got.
        case uncheck(at: Date)
        /// Take it off the list for good, at this time.
        case remove(at: Date)

        /// When it is done.
        public var time: Date {
            switch self {
            case .check(let time), .uncheck(let time), .remove(let time): time
            }
        }
    }

    /// A change of `item`.
    public init(item: ItemIdentifier, action: Action) {
        self.item = item
        self.action = action
    }
}

/// What became of an edit.
public enum EditOutcome: Equatable, Sendable {
    /// The item is now as asked.
    case changed
    /// The item was as asked already.
    case unchanged
    /// There is no such item.
    case unknownItem
}

/// Who made a change.
public enum Origin: Equatable, Sendable {
    /// A command on this machine.
    case command
    /// The phone's own view of the list.
    case phone
    /// A tap on a watch.
    case watch(WatchTap)
}

/// A tap on a watch, as far as it tells one check-off from every other.
public struct WatchTap: Equatable, Sendable {
    /// The watch.
    public var watch: UInt64
    /// The epoch of the watch's stream that brought the tap.
    public var epoch: UInt32
    /// The sequence number in that stream, from 1.
    public var sequence: UInt32
    /// The tap's number as the watch counts them.
    public var tap: UInt32
    /// When the watch says it was, in seconds since 1970 in the wearer's time zone; 0 where the watch did not know.
    public var localTime: UInt32

    /// A tap that came in under this number of this stream.
    public init(watch: UInt64, epoch: UInt32, sequence: UInt32, tap: UInt32, localTime: UInt32) {
        self.watch = watch
        self.epoch = epoch
        self.sequence = sequence
        self.tap = tap
        self.localTime = localTime
    }
}
