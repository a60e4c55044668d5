/// Why the journal could not do what was asked. None of them is a reason to stop: the watch goes on from memory.
public enum JournalError: Error, Sendable, Equatable, BitwiseCopyable {
    /// `mount` has not been called, has failed, or the journal had to be given up since.
    case notMounted
    /// A sector is being erased. Nothing was written; append again when the flash is ready, or use `appendWaiting`.
    case busy
    /// No room is left in the active bank. Nothing was written; `compact` makes room.
    case full
    /// The payload is longer than `Journal.maximumPayload`.
    case recordTooLong
    /// What the client holds does not fit into one bank.
    case snapshotTooLarge
    /// The chip has fewer than two banks of at least 2 KB, or pages that are not a multiple of 64 bytes.
    case unsuitableGeometry
    /// The chip reported an error. A record being written may or may not be found by the next mount.
    case flash(FlashError)
}
