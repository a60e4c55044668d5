import FirmwareWatch
import Foundation
import Watch
import WatchLink

@testable import DeviceModel

/// What a scenario does, step by step.
enum ParityStep {
    case send(Input)
    case tap(row: Int)
    case connect
    case cut
    case add(UInt32, String)
    case remove(UInt32)
    case rename(UInt32, String)
    case timeline([ComplicationEntry])
    case run(Microseconds)
    case restart
}

/// A watch and a phone on one virtual clock.
protocol ParityBench: AnyObject {
    var phone: SimulatedPhone { get }
    var snapshot: WatchSnapshot { get }
    func connect()
    func cut()
    func onPhone(_ change: (SimulatedPhone) -> Void)
    func send(_ input: Input)
    func run(for length: Microseconds)
    func restart() throws
}

extension ParityBench {
    func perform(_ step: ParityStep) throws {
        switch step {
        case .send(let input): send(input)
        case .tap(let row): send(.touch(row: row))
        case .connect: connect()
        case .cut: cut()
        case .add(let id, let title): onPhone { $0.add(PhoneItem(id: id, title: title)) }
        case .remove(let id): onPhone { $0.remove(id) }
        case .rename(let id, let title): onPhone { $0.rename(id, to: title) }
        case .timeline(let entries): onPhone { $0.send(timeline: entries) }
        case .run(let length): run(for: length)
        case .restart: try restart()
        }
    }
}

extension DeviceProfile {
    /// The memory LCD without a touch controller: on the firmware's machine a finger is an interrupt at once.
    static var asTheFirmware: DeviceProfile {
        var profile = DeviceProfile.memoryLCD
        profile.touch = TouchCost(scanInterval: .zero)
        return profile
    }
}

/// The simulated watch: the same runtime on a board made of software.
extension WatchBench: ParityBench {
    func cut() { radio.cut() }
}

/// The firmware, at the host's pace.
extension FirmwareBench: ParityBench {}

/// The image under test, which `FIRMWARE` names.
enum FirmwareUnderTest {
    static var image: String? { ProcessInfo.processInfo.environment["FIRMWARE"] }
}
