import FirmwareWatch
import TestDoubles
import TestSupport
import Watch
import WatchLink

/// Frames that are nearly right, which change nothing.
enum Mutations {
    static func run(_ setting: HarnessSetting) throws {
        let count = try setting.count(0)
        let machine = try setting.idleMachine()
        let phone = SerialPhone(machine)
        let patience = Microseconds.milliseconds(20)
        for number in 0..<count {
            if number % 50 == 0 || !phone.isOpen {
                machine.send([0], on: .radio)
                try phone.connect(patience: patience)
                try machine.requireSilence()
            }
            try say(of: phone, to: machine, &setting.random)
            try phone.settle(patience: patience)
        }
        // What was broken off is behind it: it is given everything anew.
        machine.send([0], on: .radio)
        try machine.wait(.seconds(30))
        try phone.hear()
        try phone.connect()
        if !phone.isOpen || !phone.goodbyes.isEmpty {
            phone.forgetGoodbyes()
            try phone.connect()
        }
        try phone.giveList(4)
        try require(phone.isSettled, "\(phone.acknowledged) of \(phone.queued) are applied: \(phone.goodbyes)")
        try machine.requireLife()
    }

    /// Says something that is wrong: in a frame, in a packet, in a command, or in a datagram.
    private static func say(of phone: SerialPhone, to machine: LineBench, _ random: inout SplitMix64) throws {
        let datagram = try datagrams(of: phone).randomElement(using: &random) ?? []
        switch Int.random(in: 0..<4, using: &random) {
        case 0: machine.send(mutated(SerialFrame.bytes(phone.dataHead, datagram), &random), on: .radio)
        case 1: machine.send(SerialFrame.bytes(mutated(phone.dataHead + datagram, &random)), on: .radio)
        case 2:
            machine.send(
                mutated(BenchCommand.input(firstRow[Int.random(in: 0..<2, using: &random)]).frame, &random) + [0],
                on: .bench)
        default: phone.send(mutated(datagram, &random))
        }
    }

    /// Datagrams that a phone may send, with the numbers that are next.
    private static func datagrams(of phone: SerialPhone) throws -> [[UInt8]] {
        let seconds = LineBench.calendar.seconds
        let entries = (0..<4).map { (index: UInt32) in
            ComplicationEntry(
                date: seconds + 60 * index, content: index & 1 == 0 ? .items(remaining: index) : .text,
                text: ItemTitle("Milk"))
        }
        var hello = Hello(
            role: .phone, identity: 1, epoch: 7, limits: LinkLimits(largestSDU: 512, largestMessage: 506, window: 8))
        hello.queuedIssued = 0
        var acknowledgement = Acknowledgement(
            queued: 0, latest: 0, heldFor: 5,
            rejectedLatest: Rejection(sequence: 1, reason: RejectionReason(rawValue: 2)))
        acknowledgement.rejected.append(Rejection(sequence: 1, reason: RejectionReason(rawValue: 1)))
        return try [
            Datagrams.control(.hello(hello)), Datagrams.control(.goodbye(Goodbye(GoodbyeReason(rawValue: 0)))),
            Datagrams.control(.ping(1)), Datagrams.control(.pong(1)),
            Datagrams.control(.acknowledgement(acknowledgement)),
            Datagrams.message(TitleMessage(listName: ItemTitle("Groceries"), lastTrip: seconds), sequence: 1),
            Datagrams.complication(entries, sequence: 1),
            Datagrams.list(
                [.clear] + Datagrams.puts(5) + [.remove(id: 3)], more: 3, reload: 1, sequence: phone.queued + 1),
        ]
    }

    /// Bytes that mean something in CBOR, and any other.
    private static var telling: [UInt8] { [0, 0x1A, 0x1B, 0x5F, 0x7F, 0x80, 0x9F, 0xBF, 0xFF] }

    /// The bytes with something wrong in them, at most 900.
    static func mutated(_ data: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var data = data
        for _ in 0..<([1, 1, 1, 2, 5].randomElement(using: &random) ?? 1) {
            let at = Int.random(in: 0...data.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where at < data.count: data[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where at < data.count:
                data[at] = (telling + random.bytes(1)).randomElement(using: &random) ?? 0
            case 2: data.insert(contentsOf: random.bytes([1, 2, 8, 200].randomElement(using: &random) ?? 1), at: at)
            case 3 where data.count > 1:
                let count = [1, 2, 8].randomElement(using: &random) ?? 1
                data.removeSubrange(at..<min(at + count, data.count))
            default: data = Array(data.prefix(max(1, at)))
            }
        }
        return Array(data.prefix(900))
    }
}
