import GuestSupport
import Testing

/// What takes real adapters: in the guest that Tests/bluetooth boots, one test after the other.
@Suite(.serialized, .enabled(if: Air.isHere, "the guest of Tests/bluetooth has adapters"), .timeLimit(.minutes(60)))
enum AdapterTests {}
