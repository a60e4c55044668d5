import DeviceModel
import FirmwareWatch
import Watch

/// What is on the panel is what the simulated watch shows.
enum Pictures {
    static func golden(_ setting: HarnessSetting) throws {
        let machine = try setting.idleMachine()
        try machine.requirePicture(setting.picture(setting.arguments[0]), setting.arguments[0])
        try machine.act(.press(.crown))
        try machine.requirePicture(setting.picture(setting.arguments[1]), setting.arguments[1])
    }

    /// The digits of a pairing, which a held crown confirms and the side button refuses; each answer is reported. A touch
    /// and a press of the crown answer nothing. The side button, held, opens the pairing mode.
    static func pairing(_ setting: HarnessSetting) throws {
        let machine = try setting.idleMachine()
        let answers: [(Input, PairingAnswer)] = [(.hold(.crown), .same), (.press(.side), .different)]
        for (input, answer) in answers {
            try machine.act(.pairing(.compare(digits: 123_456)), after: .seconds(1))
            try machine.requirePicture(setting.picture(setting.arguments[0]), setting.arguments[0])
            try machine.wait(.milliseconds(600))
            let before = machine.reports.count
            for nothing in [Input.touch(x: 72, y: 90), .lifted(x: 72, y: 90), .press(.crown), .hold(.side)] {
                try machine.act(nothing)
            }
            try machine.requirePicture(setting.picture(setting.arguments[0]), setting.arguments[0])
            try machine.act(input)
            let words = machine.reports[before...].filter { if case .pairing = $0 { true } else { false } }
            try require(words == [.pairing(answer)], "\(input) is not reported as the answer \(answer): \(words)")
        }
        try machine.act(.press(.crown))
        try machine.act(.press(.side))
        let before = machine.reports.count
        try machine.act(.hold(.side))
        try require(machine.reports[before...].contains(.pairing(.open)), "the pairing mode is not reported as open")
        try machine.requireSilence()
    }

    /// An answer is reported before any description of the screen that follows from it, also if the bench asks at once:
    /// a host that sees the question gone has the answer.
    static func answerFirst(_ setting: HarnessSetting) throws {
        let machine = try setting.machine(pacing: .free)
        try machine.awaitIdle()
        machine.tell(.input(.pairing(.compare(digits: 123_456))))
        try machine.awaitIdle()
        var isAsking = true
        // The firmware takes no answer at first, and its clock counts by itself.
        while isAsking {
            machine.send(BenchCommand.input(.hold(.crown)).frame + BenchCommand.describe.frame, on: .bench)
            let description = try machine.nextReport { (report) -> [UInt8]? in
                guard case .described(let bytes) = report else { return nil }
                return bytes
            }
            isAsking = try ScreenDescription(cbor: description.span).screen == .pairing
        }
        let described = machine.reports.lastIndex { if case .described = $0 { true } else { false } }
        let answered = machine.reports.firstIndex(of: .pairing(.same))
        try require(
            answered.map { $0 < described ?? 0 } ?? false, "the question is gone before its answer is reported")
    }
}
