import Foundation

/// One thing that happened to an item.
public struct HistoryEntry: Equatable, Sendable {
    /// The entry's place in the history, from 1, without reuse.
    public var number: Int64
    /// What happened.
    public var event: Event
    /// The item it happened to.
    public var item: ItemIdentifier
    /// The item's title at the time; nil where no item of that id was known.
    public var title: String?
    /// The name of the list it was on; nil where no item of that id was known.
    public var list: String?
    /// When the phone stored it.
    public var time: Date
    /// Who did it.
    public var origin: Origin

    /// What can happen to an item.
    public enum Event: String, CaseIterable, Sendable {
        /// It was checked off.
        case checked
        /// It was checked off once more, which changed nothing.
        case repeated
        /// It was put back among those still to be got.
        case unchecked
        /// It was taken off the list.
        case removed
        /// A watch checked off an item that the phone does not know.
        case rejected
    }
}
