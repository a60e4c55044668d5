import Testing

/// The tests that use a terminal or signals, one after the other: both belong to the whole process.
@Suite(.serialized) struct TerminalTests {}
