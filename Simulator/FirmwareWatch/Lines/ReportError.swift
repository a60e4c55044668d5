import WatchLink

/// What is wrong with a frame of the bench line.
public enum ReportError: Error, Equatable, Sendable {
    /// It is no CBOR of the form that a report has.
    case malformed(CBORError)
    /// It begins with a number that no report begins with, or has another number of fields.
    case unknownKind(UInt32, fields: Int)
    /// One of its values stands for nothing.
    case unknownValue(UInt32)
    /// It describes a screen as `WatchRuntime.describe` does not; the text says where.
    case malformedDescription(String)
}
