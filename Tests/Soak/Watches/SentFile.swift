import WatchLink
import Wormhole

/// A file that an owner sends to a watch, with the state that the sending program has last reported.
final class SentFile {
    enum State {
        /// The file is in transit. The phone gave it this number.
        case underway(number: UInt64)
        case applied
        case failed(String)
        /// The phone refused the file for this reason.
        case notTaken(String)
        /// The phone's program ended before it answered. The phone may not know the file.
        case unanswered
        /// The transfer ended while the phone's program did not run, so the outcome is unknown.
        case untold
    }

    let number: UInt32
    let bytes: [UInt8]
    let phone: Int
    let recipient: PeerIdentity
    private(set) var state = State.unanswered
    private var transfer: FileTransfer?

    /// - Parameter length: the number of bytes, at least 4. The file begins with its number.
    init(_ number: UInt32, length: Int, from phone: Int, to recipient: PeerIdentity) {
        self.number = number
        self.phone = phone
        self.recipient = recipient
        var random = SplitMix64(seed: UInt64(number))
        let head = (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
        bytes = head + (4..<max(4, length)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    static func number(of bytes: [UInt8]) -> UInt32? {
        guard bytes.count >= 4 else { return nil }
        return bytes[..<4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    var isOver: Bool {
        switch state {
        case .underway: false
        case .applied, .failed, .notTaken, .unanswered, .untold: true
        }
    }

    // MARK: The program that sends it

    func send(by program: PhoneProgram, path: String) {
        let (recipient, label) = (recipient, "file \(number)")
        let sent = program.endpoint.call { machine throws(WormholeError) in
            try machine.checkFiles(to: recipient)
            let (length, hash) = try FileSystem().summary(of: path, upTo: .max)
            return try machine.send(
                fileAt: path, as: try FileLabel(label), to: recipient, length: length, hash: hash, metadata: nil)
        }
        switch sent {
        case .success(let transfer):
            self.transfer = transfer
            state = .underway(number: transfer.number)
        case .failure where !program.process.isRunning: state = .unanswered
        case .failure(let error): state = .notTaken("\(error)")
        }
    }

    func follow(by program: PhoneProgram) {
        guard case .underway(let number) = state else { return }
        let files = program.endpoint.call { machine throws(WormholeError) in try machine.filesUnderWay() }
        guard case .success(let files) = files else { return }
        transfer = files.first { $0.number == number }
        if transfer == nil { state = .untold }
    }

    func phoneEnded() { transfer = nil }

    func checkFate() {
        guard let transfer, !isOver else { return }
        switch transfer.fate {
        case .queued, .sent, .delivered: break
        case .applied: state = .applied
        case .expired: state = .failed("expired")
        case .failed(let failure): state = .failed("\(failure)")
        }
    }
}
