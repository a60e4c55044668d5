import WatchLink

/// What a watch finds in its flash when it starts.
enum StoreContents: BitwiseCopyable {
    /// Everything that was ever kept.
    case complete
    /// Less: something has decayed, or cannot be read.
    case incomplete
}

/// A message to the phone that has just been dealt with.
enum KeptMessage: BitwiseCopyable {
    /// The message of this number is in flash, and may be sent.
    case kept(UInt32, tap: TapNumber?)
    /// It never came back from the journal, and there is nothing to keep.
    case withdrawn
}
