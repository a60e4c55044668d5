import GuestSupport
import Testing

/// What takes real adapters: in the guest that Tests/guest/run boots, one test after the other.
@Suite(.serialized, .enabled(if: Air.isHere, "the guest of Tests/guest has adapters"), .timeLimit(.minutes(5)))
enum AdapterTests {}
