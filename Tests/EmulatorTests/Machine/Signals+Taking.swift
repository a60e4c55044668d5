@testable import Emulator

extension Signals {
    mutating func takeRaised() -> [UInt32] {
        defer { forgetRaised() }
        return raised
    }
}
