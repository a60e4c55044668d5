import DeviceModelTesting
import FirmwareWatch
import Foundation

@testable import DeviceModel

/// The firmware, at the host's pace.
extension FirmwareBench: ParityBench {}

/// The image under test, which `FIRMWARE` names.
enum FirmwareUnderTest {
    static var image: String? { ProcessInfo.processInfo.environment["FIRMWARE"] }
}

extension DeviceProfile {
    /// The memory LCD without a touch controller: on the firmware's machine a finger is an interrupt at once.
    static var asTheFirmware: DeviceProfile {
        var profile = DeviceProfile.memoryLCD
        profile.touch = TouchCost(scanInterval: .zero)
        return profile
    }
}
