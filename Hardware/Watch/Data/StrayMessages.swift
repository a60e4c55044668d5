/// Queued messages of a handler that this watch had before, found while the journal is read.
struct StrayMessages: BitwiseCopyable {
    /// The sequence of the newest one to the phone, 0 for none. It is lost unless the phone has acknowledged it.
    var newestOutgoing: UInt32 = 0
    /// How many from the phone the handler before had not taken.
    var arrived: UInt32 = 0
}
