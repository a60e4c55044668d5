/// The initiator's side of one pairing with LE Secure Connections (Bluetooth Core 5.3, Vol 3, Part H, sections 2.3.5.6 and
/// 3.5). It uses numeric comparison, or Just Works if the responder cannot both show and confirm a number.
struct Pairing: Sendable {
    enum Action {
        case send([UInt8])
        case compare(Int)
        case encrypt(key: [UInt8])
        /// Pairing has failed. The value is a reason code of section 3.5.5.
        case fail(UInt8)
    }

    private enum Step {
        case awaitsResponse
        case awaitsKey(response: [UInt8])
        case awaitsConfirm(Peer)
        case awaitsRandom(Peer, confirm: [UInt8])
        case awaitsPerson(Peer, random: [UInt8])
        case awaitsCheck(expected: [UInt8], key: [UInt8])
        case done(key: [UInt8])
        case failed
    }

    private struct Peer {
        let response: [UInt8]
        let keyX: [UInt8]
        let shared: [UInt8]
    }

    private enum Code {
        static let response: UInt8 = 0x02, confirm: UInt8 = 0x03, random: UInt8 = 0x04, failed: UInt8 = 0x05
        static let publicKey: UInt8 = 0x0C, check: UInt8 = 0x0D
    }

    private enum Reason {
        static let authentication: UInt8 = 0x03, confirm: UInt8 = 0x04, unspecified: UInt8 = 0x08
        static let check: UInt8 = 0x0B, comparison: UInt8 = 0x0C
    }

    /// Pairing Request: IO capability DisplayYesNo, no data out of band, bonding with MITM protection and Secure Connections,
    /// keys of 16 bytes, no keys to distribute.
    private static let request: [UInt8] = [0x01, 0x01, 0x00, 0x0D, 16, 0, 0]
    private static let zeros = [UInt8](repeating: 0, count: 16)

    private let central: [UInt8]
    private let peripheral: [UInt8]
    private let secret: [UInt8]
    private let publicKey: PrimeCurve.Point?
    private let random: [UInt8]
    private var step = Step.awaitsResponse
    private var actions: [Action] = [.send(request)]

    init(central: BluetoothAddress, peripheral: BluetoothAddress, _ numbers: inout SeededNumbers) {
        (self.central, self.peripheral) = (central.forPairing, peripheral.forPairing)
        // The highest bit is 0, so that the number is below the order of the curve.
        secret = [numbers.bytes(1)[0] & 0x7F] + numbers.bytes(31)
        publicKey = PrimeCurve.publicKey(of: secret)
        random = numbers.bytes(16)
    }

    mutating func takeAction() -> Action? { actions.isEmpty ? nil : actions.removeFirst() }

    /// The long-term key. Nil until the responder has sent the right check value, which is pairing's last message.
    var key: [UInt8]? {
        if case .done(let key) = step { key } else { nil }
    }

    /// Takes the person's answer: whether both devices show the same number. Returns false if pairing is not waiting for this
    /// answer.
    mutating func confirm(_ isEqual: Bool) -> Bool {
        guard case .awaitsPerson(let peer, let random) = step else { return false }
        if isEqual { check(peer, random) } else { fail(Reason.comparison) }
        return true
    }

    private mutating func fail(_ reason: UInt8) {
        step = .failed
        actions += [.send([Code.failed, reason]), .fail(reason)]
    }

    /// Handles a message. Its numbers begin with the least significant byte. They are reversed here, because `PairingFunctions`
    /// and `PrimeCurve` take the most significant byte first.
    mutating func receives(_ pdu: [UInt8]) {
        guard let code = pdu.first else { return }
        let body = Array(pdu.dropFirst())
        switch (code, step) {
        case (Code.failed, _):
            step = .failed
            actions.append(.fail(body.first ?? Reason.unspecified))
        case (Code.response, .awaitsResponse) where body.count == 6:
            guard body[2] & 0x08 != 0, body[0] != 2 else { return fail(Reason.authentication) }
            guard let own = publicKey else { return fail(Reason.unspecified) }
            step = .awaitsKey(response: body)
            actions.append(.send([Code.publicKey] + own.x.reversed() + own.y.reversed()))
        case (Code.publicKey, .awaitsKey(let response)) where body.count == 64:
            let x = Array(body[..<32].reversed()), y = Array(body[32...].reversed())
            guard let shared = PrimeCurve.multiply(secret, (x, y)) else { return fail(Reason.check) }
            step = .awaitsConfirm(Peer(response: response, keyX: x, shared: shared.x))
        case (Code.confirm, .awaitsConfirm(let peer)) where body.count == 16:
            step = .awaitsRandom(peer, confirm: body.reversed())
            actions.append(.send([Code.random] + random.reversed()))
        case (Code.random, .awaitsRandom(let peer, let confirm)) where body.count == 16:
            compare(peer, confirm, random: body.reversed())
        case (Code.check, .awaitsCheck(let expected, let key)) where body.count == 16:
            guard body.reversed() == expected else { return fail(Reason.check) }
            step = .done(key: key)
            actions.append(.encrypt(key: key))
        // A security request (0x0B) asks for pairing, which is already running.
        case (0x0B, _): break
        case _: fail(Reason.unspecified)
        }
    }

    private var ownX: [UInt8] { publicKey?.x ?? [] }

    private mutating func compare(_ peer: Peer, _ confirm: [UInt8], random peerRandom: [UInt8]) {
        guard PairingFunctions.f4(peer.keyX, ownX, peerRandom, 0) == confirm else { return fail(Reason.confirm) }
        // By table 2.8, a responder with DisplayYesNo (1) or KeyboardDisplay (4) compares numbers with this central.
        if peer.response[0] == 1 || peer.response[0] == 4 {
            step = .awaitsPerson(peer, random: peerRandom)
            actions.append(.compare(PairingFunctions.g2(ownX, peer.keyX, random, peerRandom)))
        } else {
            check(peer, peerRandom)
        }
    }

    private mutating func check(_ peer: Peer, _ peerRandom: [UInt8]) {
        let keys = PairingFunctions.f5(peer.shared, random, peerRandom, central, peripheral)
        let own = PairingFunctions.f6(
            keys.check, random, peerRandom, Pairing.zeros, capabilities(Pairing.request[1...]), central, peripheral)
        let expected = PairingFunctions.f6(
            keys.check, peerRandom, random, Pairing.zeros, capabilities(peer.response[...]), peripheral, central)
        step = .awaitsCheck(expected: expected, key: keys.longTerm)
        actions.append(.send([Code.check] + own.reversed()))
    }

    /// Returns the first three bytes of a request or response in the order that f6 takes: AuthReq, OOB data flag, IO
    /// capability.
    private func capabilities(_ fields: ArraySlice<UInt8>) -> [UInt8] { fields.prefix(3).reversed() }
}
