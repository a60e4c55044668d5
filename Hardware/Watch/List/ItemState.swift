/// Whether an item is still to be got.
enum ItemState: BitwiseCopyable {
    /// It counts among the remaining items.
    case waiting
    /// The wearer has tapped it: it no longer counts, and its row is about to go.
    case checkedOff
}
