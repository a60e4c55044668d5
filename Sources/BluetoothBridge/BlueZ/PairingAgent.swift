import Synchronization
import WatchLink
import Wormhole

/// The pairing agent, `org.bluez.Agent1`: the object through which bluetoothd asks the user to compare digits.
///
/// The agent refuses all other methods: pairing without digits, with a PIN, or with digits that the user types. For digits
/// that the agent should only show (`DisplayPasskey`, `DisplayPinCode`), a refusal has no effect. bluetoothd then takes
/// any answer as consent, and pairs with a device that types or guesses the digits. After each refusal, the agent therefore
/// calls its `Refusing` function, which ends the pairing.
final class PairingAgent: Sendable {
    static let path = "/org/tapline/agent"

    /// What the agent can show and ask. From this and the other device's capability, bluetoothd chooses how the two pair
    /// (BlueZ's doc/agent-api.txt).
    enum Capability: String, Sendable {
        /// The agent can show digits and ask yes or no. The two sides compare digits if the other device can do so too.
        case displayYesNo = "DisplayYesNo"
        /// The agent can neither show nor ask anything. So devices can try to pair only without digits, and the agent
        /// refuses every such pairing. Without an agent, bluetoothd would let a device guess passkeys that no screen
        /// shows.
        case nothing = "NoInputNoOutput"
    }

    enum Starter: Sendable {
        case us
        /// Another device started the pairing. The function reports the refusal to the program that answers pairings.
        case them(PairingRefusal)
    }

    /// Ends a pairing that the agent has refused because it is not a comparison of digits. `device` is the device's object
    /// path. The function runs on the bus thread and must not block.
    typealias Refusing = @Sendable (_ device: String, _ method: PairingMethod, _ starter: Starter) -> Void

    private struct Responder {
        let number: UInt64
        let adapter: String
        /// Asks the user to compare the digits; nil declines all pairings. The agent sets it to nil when a device tries to
        /// pair without comparing digits. After that, only a new responder can accept a pairing.
        var answer: PairingAnswer?
        let refuse: PairingRefusal
    }

    /// The progress of a pairing that this side started.
    enum Initiated {
        case begun(PairingAnswer)
        /// The user has compared the digits and accepted them.
        case compared
        case refused(PairingMethod)
    }

    private struct State {
        var nextNumber: UInt64 = 0
        var responder: Responder?
        var initiated: [String: Initiated] = [:]
        var questions: [String: PairingQuestion] = [:]
    }

    private let state = Mutex(State())
    private let limit: Microseconds
    private let clock: any LinkClock

    init(limit: Microseconds, clock: any LinkClock) {
        self.limit = limit
        self.clock = clock
    }

    /// Makes the agent's object for the bus. The object rejects calls from programs other than bluetoothd.
    ///
    /// - Parameter known: returns the present state of bluetoothd, with its unique name and its objects.
    func export(
        _ known: @escaping @Sendable () -> DaemonMachine.State, refusing: @escaping Refusing
    ) -> BusExport {
        BusExport(properties: { [BlueZ.agent: [:]] }) { [weak self] call, answer in
            guard let self, case .running(let owner, let tree) = known(), call.sender == owner else {
                return answer(.failure(BlueZ.fault("Rejected", "no pairing is expected")))
            }
            handle(call, tree, answer, refusing)
        }
    }

    /// Sets the responder, which answers the pairings that other devices start with `adapter`. It replaces any earlier
    /// responder. If `answer` is nil, it declines all pairings. Returns a number for `stop`.
    func respond(
        on adapter: String, _ answer: PairingAnswer?, _ refuse: @escaping PairingRefusal
    ) -> UInt64 {
        state.withLock { state in
            state.nextNumber += 1
            state.responder = Responder(number: state.nextNumber, adapter: adapter, answer: answer, refuse: refuse)
            return state.nextNumber
        }
    }

    /// The adapter of the current responder, even if a refusal has set its `answer` to nil; nil if there is no responder.
    var respondingAdapter: String? { state.withLock { $0.responder?.adapter } }

    var isAsking: Bool { state.withLock { $0.responder?.answer != nil } }

    /// Removes the responder with this number. Returns false, and removes nothing, if a later call of `respond` has
    /// replaced it.
    func stop(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard state.responder?.number == number else { return false }
            state.responder = nil
            return true
        }
    }

    func begin(_ device: String, _ answer: @escaping PairingAnswer) {
        state.withLock { $0.initiated[device] = .begun(answer) }
    }

    var isPairing: Bool { state.withLock { !$0.initiated.isEmpty } }

    /// Forgets the pairing that this side started with a device, and cancels its question to the user. Returns how far the
    /// pairing came; nil if there was none.
    func finish(_ device: String) -> Initiated? {
        let (initiated, question) = state.withLock { state in
            (state.initiated.removeValue(forKey: device), state.questions.removeValue(forKey: device))
        }
        question?.end(.failure(BlueZ.fault("Canceled", "the pairing is over")))
        return initiated
    }

    func dropQuestions() {
        let questions = state.withLock { state in
            defer { state.questions = [:] }
            return state.questions
        }
        for question in questions.values {
            question.end(.failure(BlueZ.fault("Canceled", "the question was cancelled")))
        }
    }

    private func handle(
        _ call: BusIncomingCall, _ tree: ObjectTree, _ answer: @escaping BusExport.Answer, _ refusing: Refusing
    ) {
        switch call.member {
        case "RequestConfirmation": confirm(call, tree, answer)
        case "DisplayPasskey", "RequestPasskey": refuse(.passkey, call, answer, refusing)
        case "DisplayPinCode", "RequestPinCode": refuse(.pin, call, answer, refusing)
        case "RequestAuthorization": refuse(.justWorks, call, answer, refusing)
        case "Cancel", "Release":
            dropQuestions()
            answer(.success([]))
        default: answer(.failure(BlueZ.fault("Rejected", "only pairing by comparing digits is supported")))
        }
    }

    private func refuse(
        _ method: PairingMethod, _ call: BusIncomingCall, _ answer: BusExport.Answer, _ refusing: Refusing
    ) {
        answer(.failure(BlueZ.fault("Rejected", "only pairing by comparing digits is supported")))
        guard let device = call.body.first?.text, let place = BlueZ.device(at: device) else { return }
        let starter = state.withLock { state -> Starter in
            switch state.initiated[device] {
            case .begun, .compared, .refused:
                state.initiated[device] = .refused(method)
                return .us
            case nil:
                // bluetoothd asks this one agent about the devices of all adapters. If the responder lets phones pair, that
                // must end now even if the device uses another adapter, because a device can guess a passkey there too.
                guard let responder = state.responder,
                    responder.adapter == place.adapter || responder.answer != nil
                else { return .them { _, _ in } }
                state.responder?.answer = nil
                return .them(responder.refuse)
            }
        }
        refusing(device, method, starter)
    }

    private func confirm(_ call: BusIncomingCall, _ tree: ObjectTree, _ answer: @escaping BusExport.Answer) {
        guard call.body.count == 2, let path = call.body[0].text, let number = call.body[1].number,
            let place = BlueZ.device(at: path)
        else { return answer(.failure(.invalidArguments)) }
        let digits = String(repeating: "0", count: max(6 - String(number).count, 0)) + String(number)
        let peer = tree.device(at: path)?.peer ?? BluetoothPeer(place.address, .public)
        guard let asked = asked(path, adapter: place.adapter) else {
            return answer(.failure(BlueZ.fault("Rejected", "no pairing is expected")))
        }
        let reply: BusExport.Answer = { [weak self] result in
            if case .success = result { self?.note(compared: path) }
            answer(result)
        }
        let request = PairingRequest(peer: peer, adapter: place.adapter, digits: digits)
        let question = PairingQuestion(request, until: clock.now + limit, on: clock, to: reply, asking: asked)
        let before = state.withLock { $0.questions.updateValue(question, forKey: path) }
        before?.end(.failure(BlueZ.fault("Canceled", "asked again")))
    }

    private func asked(_ device: String, adapter: String) -> PairingAnswer? {
        state.withLock { state in
            if case .begun(let answer) = state.initiated[device] { return answer }
            guard let responder = state.responder, responder.adapter == adapter else { return nil }
            return responder.answer
        }
    }

    private func note(compared device: String) {
        state.withLock { state in
            if case .begun = state.initiated[device] { state.initiated[device] = .compared }
        }
    }
}

/// Asks the user whether the digits are the same, and sends bluetoothd exactly one reply. The reply is the user's
/// answer, unless the deadline passes or the question is cancelled first.
final class PairingQuestion: Sendable {
    private enum State {
        case open(BusExport.Answer, work: [Task<Void, Never>])
        case answered
    }

    private let state: Mutex<State>

    init(
        _ request: PairingRequest, until deadline: WatchLink.Instant, on clock: any LinkClock,
        to reply: @escaping BusExport.Answer,
        asking answer: @escaping PairingAnswer
    ) {
        state = Mutex(.open(reply, work: []))
        let asking = Task {
            switch await answer(request) {
            case .accept: end(.success([]))
            case .reject: end(.failure(BlueZ.fault("Rejected", "the digits were not confirmed")))
            }
        }
        let waiting = Task {
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            end(.failure(BlueZ.fault("Canceled", "the digits were not compared in time")))
        }
        let isOver = state.withLock { state in
            guard case .open(let reply, _) = state else { return true }
            state = .open(reply, work: [asking, waiting])
            return false
        }
        if isOver { waiting.cancel() }
    }

    func end(_ result: Result<[BusValue], BusFault>) {
        let before = state.withLock { state in
            defer { state = .answered }
            return state
        }
        guard case .open(let reply, let work) = before else { return }
        reply(result)
        for task in work { task.cancel() }
    }
}
