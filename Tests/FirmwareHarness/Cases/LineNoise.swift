import FirmwareWatch
import SeededNumbers
import Watch
import WatchLink

/// Lines that carry what they should not, or more than they can.
enum LineNoise {
    static func garbage(_ setting: HarnessSetting) throws {
        let machine = try setting.machine(hearing: .everywhere)
        try machine.awaitIdle()
        for line in BoardLine.allCases {
            for count in [1, 100, 3_000] {
                // What no command can be made of by chance: no frame of it passes its check.
                machine.send(setting.random.bytes(count) + [0], on: line)
            }
        }
        try machine.requireLife()
    }

    static func half(_ setting: HarnessSetting) throws {
        let machine = try setting.idleMachine()
        let phone = SerialPhone(machine)
        try phone.connect()
        try phone.giveList(3)
        let frame = SerialFrame.bytes(phone.dataHead, try Datagrams.list(Datagrams.puts(3), sequence: 9))
        for size in [1, 7, frame.count / 2, frame.count - 1] {
            machine.send(Array(frame.prefix(size)), on: .radio)
            try machine.wait(.seconds(30))
            try machine.requireLife()
            // Whoever comes back begins with a zero: it does not know what is on the line.
            machine.send([0], on: .radio)
            try phone.connect()
            try require(
                phone.isOpen && phone.goodbyes.isEmpty, "\(phone.channel) after \(size) bytes: \(phone.goodbyes)")
            try phone.queue(Datagrams.puts(1, first: size + 10))
            try phone.settle()
            try require(phone.isSettled, "after \(size) bytes, \(phone.acknowledged) of \(phone.queued) are applied")
        }
    }

    static func burst(_ setting: HarnessSetting) throws {
        let count = try setting.count(0)
        let machine = try setting.machine(pacing: .free)
        try machine.awaitIdle()
        for index in 0..<count { machine.tell(.input(firstRow[index % 2])) }
        var handled: UInt32 = 0
        while handled < count { handled = try machine.awaitIdle() }
        try require(handled == count, "\(handled) inputs of \(count) were handled")
        try machine.requireSilence()
    }
}
