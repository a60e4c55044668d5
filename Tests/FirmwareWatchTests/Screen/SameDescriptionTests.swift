import Testing
import Watch
import WatchLink

@testable import DeviceModel
@testable import FirmwareWatch

/// What the firmware says of its screen over the bench line is what the simulator takes from the runtime itself.
struct SameDescriptionTests {
    @Test func `the encoded description says what the typed one says, whatever the screen shows`() throws {
        let clock = VirtualClock()
        let phone = SimulatedPhone(items: 30)
        phone.add(PhoneItem(id: 99, title: String(repeating: "Wide ", count: 12)), rank: 1)
        let radio = VirtualRadio(to: phone, clock: clock, latency: .milliseconds(5))
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: radio, clock: .virtual(clock),
            calendar: .unset, profile: .memoryLCD)
        phone.calendar = .set(LocalTime(seconds: 1_000_000), at: .start)
        var program = RuntimeProgram(on: board, handler: ShippingHandler(), seed: 7, describing: .visible)
        program.start()
        let inputs: [Input] = [
            .press(.side), .press(.side), .press(.crown), .press(.crown), .touch(x: 60, y: 40), .lifted(x: 60, y: 40),
            .crown(detents: 9), .touch(x: 3, y: 3), .lifted(x: 3, y: 3), .crown(detents: 1), .press(.crown),
            .pairing(.compare(digits: 7)), .pairing(.over),
            .wrist(.removed), .clock(.twelveHours), .wrist(.worn), .press(.crown),
        ]
        var shown: Set<[String]> = []
        for (number, input) in (inputs + inputs).enumerated() {
            if number == 3 { radio.connect() }
            if number == 24 {
                for item in phone.waiting { phone.remove(item.id) }
                radio.runPhone()
            }
            board.post(input)
            let end = clock.now + .milliseconds(400)
            while clock.now < end {
                if case .idle(let deadline) = program.step() { board.idle(until: min(deadline ?? end, end)) }
                let typed = program.describe()
                let encoded = try program.runtime.description()
                try #require(try ScreenDescription(cbor: encoded.indices.map { encoded[$0] }) == typed)
                shown.insert(typed.lines)
            }
        }
        #expect(shown.count > 15, "\(shown)")
        for line in ["Phone", "Full title", "phone connected, 1 message waiting", "000007", "complication: "] {
            #expect(shown.contains { $0.contains { $0.contains(line) } }, "\(line)")
        }
    }
}
