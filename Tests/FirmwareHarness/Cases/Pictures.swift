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

    /// The digits of a pairing, which the crown confirms and the side button refuses; each answer is reported.
    static func pairing(_ setting: HarnessSetting) throws {
        let machine = try setting.idleMachine()
        let answers: [(Button, PairingAnswer)] = [(.crown, .same), (.side, .different)]
        for (button, answer) in answers {
            try machine.act(.pairing(.compare(digits: 123_456)), after: .seconds(1))
            try machine.requirePicture(setting.picture(setting.arguments[0]), setting.arguments[0])
            try machine.wait(.milliseconds(600))
            let before = machine.reports.count
            try machine.act(.press(button))
            let isAnswered = machine.reports[before...].contains(.pairing(answer))
            try require(isAnswered, "\(button) is not reported as the answer \(answer)")
        }
        try machine.requireSilence()
    }
}
