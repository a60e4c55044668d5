import WatchLink
import Wormhole

/// A file that an owner has a phone send to a watch, and what the program that sends it is told.
final class SentFile {
    /// How far it is, as its program knows.
    enum State {
        /// The phone was asked to send it, and has not answered.
        case asked
        /// It is on its way, under this number of the phone's.
        case underway(number: UInt64)
        /// The watch has it.
        case applied
        /// It does not come: why, in a line for a person.
        case failed(String)
        /// The phone has not taken it: why.
        case notTaken(String)
        /// The phone's program ended before it answered, or what became of it while that did not run.
        case untold
    }

    /// Counted from 1.
    let number: UInt32
    let bytes: [UInt8]
    let phone: Int
    let recipient: PeerIdentity
    private(set) var state = State.asked
    /// Whether the phone has said that it sends the file: until then it may not know of it.
    private(set) var isTaken = false
    private var channel: AirChannel?

    /// - Parameter length: at least the four bytes of its number.
    init(_ number: UInt32, length: Int, from phone: Int, to recipient: PeerIdentity) {
        self.number = number
        self.phone = phone
        self.recipient = recipient
        var random = SplitMix64(seed: UInt64(number))
        let head = (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
        bytes = head + (4..<max(4, length)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// The number of the file that these bytes begin as; nil for fewer bytes than a number has.
    static func number(of bytes: [UInt8]) -> UInt32? {
        guard bytes.count >= 4 else { return nil }
        return bytes[..<4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether there is nothing more to be told.
    var isOver: Bool {
        switch state {
        case .asked, .underway: false
        case .applied, .failed, .notTaken, .untold: true
        }
    }

    // MARK: The program that sends it

    /// The program asks the phone, which reads the file at a path.
    func ask(over channel: AirChannel, path: String) {
        self.channel = channel
        channel.request(
            .send(path: path, label: "file \(number)", recipient: recipient.description, patience: 0))
    }

    /// The phone's program runs again: the program asks what becomes of the file.
    func follow(over channel: AirChannel) {
        guard case .underway(let number) = state else { return }
        self.channel = channel
        channel.request(.followFile(number))
    }

    /// The phone's program has ended.
    func phoneEnded() {
        channel?.close()
        channel = nil
        if case .asked = state { state = .untold }
    }

    /// Hears what the phone has said.
    func hear() {
        guard let channel else { return }
        for datagram in channel.takeSent() {
            channel.carried()
            do throws(WormholeError) {
                hear(try MessageDecoder().decode(ControlReply.self, from: datagram))
            } catch {
                preconditionFailure("the phone says what cannot be decoded: \(error)")
            }
        }
    }

    private func hear(_ reply: ControlReply) {
        switch reply {
        case .file(let file):
            guard case .asked = state, let number = file.number else { return }
            state = .underway(number: number)
            isTaken = true
        case .fate(_, let report):
            switch report.stage {
            case .queued, .sent, .delivered: break
            case .applied: state = .applied
            case .expired, .failed: state = .failed(report.reason ?? "no reason")
            }
        case .failed(let failure):
            switch state {
            case .asked: state = .notTaken(failure.text)
            // It has ended while its program was not told.
            case .underway: state = .untold
            case .applied, .failed, .notTaken, .untold: break
            }
        case .serving, .passed, .value, .heard, .cleared, .kept, .taken, .asked, .ready, .outstanding, .progress,
            .received, .budget, .peer, .ran, .done:
            break
        }
    }
}
