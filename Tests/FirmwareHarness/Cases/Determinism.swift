import FirmwareWatch
import Watch
import WatchLink

/// The same inputs make the same bytes.
enum Determinism {
    /// What a wearer does, and what a phone does to it.
    static func play(_ machine: LineBench) throws -> SerialPhone {
        try machine.awaitIdle()
        let inputs: [Input] = [
            .press(.crown), .crown(detents: 3), .crown(detents: -1), .press(.side), .touch(x: 70, y: 80),
            .moved(x: 71, y: 81), .lifted(x: 70, y: 80), .press(.crown),
        ]
        for input in inputs { try machine.act(input, after: .seconds(1)) }
        let phone = SerialPhone(machine)
        try phone.connect()
        try phone.giveList(12)
        for _ in 0..<3 {
            try machine.act(firstRow, after: .seconds(1))
            try phone.settle()
        }
        machine.tell(.describe)
        _ = try machine.nextReport { report -> [UInt8]? in
            guard case .described(let bytes) = report else { return nil }
            return bytes
        }
        return phone
    }

    static func twice(_ setting: HarnessSetting) throws {
        let said = try (0..<2).map { number in
            let machine = try setting.machine(flash: "flash.\(number)")
            let phone = try play(machine)
            try require(phone.checkOffs == 3 && phone.others == 0, "\(phone.checkOffs) check-offs of 3 arrived")
            return machine.said
        }
        try require(said[0] == said[1], "the two machines did not say the same")
        try require(said[0].panel.count > 168 * 20, "the panel was never drawn whole")
    }
}
