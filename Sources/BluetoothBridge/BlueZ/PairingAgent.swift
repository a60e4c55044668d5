import Synchronization
import WatchLink
import Wormhole

/// The object that bluetoothd asks to compare digits: `org.bluez.Agent1` with the capability DisplayYesNo.
///
/// It refuses everything else: pairing without digits, or with digits that the user types. If bluetoothd only tells the agent
/// digits to show (`DisplayPasskey`, `DisplayPinCode`), a refusal has no effect. bluetoothd takes any answer for a yes, and
/// pairs with a device that types or guesses the digits. So `Refusing` ends the pairing itself.
final class PairingAgent: Sendable {
    static let path = "/org/tapline/agent"

    /// The capability decides how other devices can pair (BlueZ's doc/agent-api.txt).
    enum Capability: String, Sendable {
        /// The two sides compare digits, if the other side can.
        case displayYesNo = "DisplayYesNo"
        /// Only pairing without digits is possible. The agent refuses such a pairing, and keys from it would open no channel.
        /// Without an agent, bluetoothd would let a device guess passkeys that no screen shows.
        case nothing = "NoInputNoOutput"
    }

    enum Starter: Sendable {
        case us
        /// Another device started the pairing. The agent calls the function when it refuses that pairing.
        case them(PairingRefusal)
    }

    /// Ends a pairing that is not a comparison of digits. `device` is a path on the bus. The function runs on the thread of
    /// the bus and must not block.
    typealias Refusing = @Sendable (_ device: String, _ method: PairingMethod, _ starter: Starter) -> Void

    private struct Responder {
        let number: UInt64
        let adapter: String
        /// Asks the user to compare the digits; nil declines all pairings. It becomes nil for good when a device tries to pair
        /// without comparing digits.
        var answer: PairingAnswer?
        let refuse: PairingRefusal
    }

    /// A pairing that this side started.
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

    /// - Parameter known: returns bluetoothd's objects and its unique name.
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

    /// Responds to pairings that other devices start with an adapter. Returns a number for `stop`.
    func respond(
        on adapter: String, _ answer: PairingAnswer?, _ refuse: @escaping PairingRefusal
    ) -> UInt64 {
        state.withLock { state in
            state.nextNumber += 1
            state.responder = Responder(number: state.nextNumber, adapter: adapter, answer: answer, refuse: refuse)
            return state.nextNumber
        }
    }

    /// The adapter of the current responder, also after a refusal.
    var respondingAdapter: String? { state.withLock { $0.responder?.adapter } }

    var isAsking: Bool { state.withLock { $0.responder?.answer != nil } }

    /// Stops the responder with this number. Returns false if a newer `respond` has replaced it. The newer one continues.
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

    /// Ends the pairing that this side started with a device, and cancels the question to the user. Nil if there is no such
    /// pairing.
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
                // bluetoothd asks one program about the devices of all adapters. If that program lets phones pair, it must stop
                // now, because a device can also guess a passkey for another adapter.
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

/// A question to compare digits. It is answered once: by the user, at the deadline, or when bluetoothd cancels it.
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
