import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// Every single call of the operating system fails once, for every reason that it may have: nothing is lost and nothing doubled,
/// nothing waits for ever, and what cannot go on says so.
@Suite(.timeLimit(.minutes(60))) struct FailingCallTests {
    /// Makes one call fail, the number `number` from 1.
    private final class OneFailure: Sendable {
        private enum Progress {
            case before(calls: Int)
            case happened(call: String)
        }

        private let number: Int
        private let reason: Errno
        private let progress = Mutex(Progress.before(calls: 0))

        init(ofCall number: Int, _ reason: Errno) {
            self.number = number
            self.reason = reason
        }

        /// The call that failed; nil if there were too few.
        var call: String? {
            progress.withLock { progress in
                guard case .happened(let call) = progress else { return nil }
                return call
            }
        }

        func failure(of call: String) -> Errno? {
            progress.withLock { progress in
                guard case .before(let calls) = progress else { return nil }
                progress = calls + 1 == number ? .happened(call: call) : .before(calls: calls + 1)
                return calls + 1 == number ? reason : nil
            }
        }
    }

    private enum Outcome: Equatable, Sendable {
        /// All messages were passed; these were applied, in this order.
        case done([Int])
        /// It could not begin, for this reason.
        case told(WormholeError)
        /// It has taken far longer than it may.
        case hung
    }

    /// A socket is served, a watch connects and passes three messages, the phone ends the link, the watch connects again and
    /// passes a fourth.
    private static func exchange() async throws -> Outcome {
        let directory = TemporaryDirectory()
        let applied = Recorder<Int>()
        let store = MessageStore.inMemory { message throws(WormholeError) in
            guard case .queued(_, let payload) = message.content else { return .applied }
            applied.append(try MessageDecoder().decode(Int.self, from: payload))
            return .applied
        }
        let phone: Wormhole
        do throws(WormholeError) {
            let listener = try UnixListener("watch.sock", in: try SocketDirectory(path: directory.path))
            phone = Wormhole(.listens(listener), store: store, configuration: configuration(.phone), logger: .quiet)
        } catch {
            return .told(error)
        }
        let connector = UnixConnector(path: directory.file("watch.sock"))
        let watch = Wormhole(
            .connects(connector), store: MessageStore.inMemory(), configuration: configuration(.watch), logger: .quiet)
        try await phone.start()
        try await watch.start()
        for number in 1...4 {
            if number == 4 {
                try await phone.call { machine throws(WormholeError) in
                    for peer in machine.current.keys { machine.disconnect(peer) }
                }
            }
            let handle = try await watch.pass(number, under: "number", delivery: .queued, to: .only(.phone))
            _ = await handle?.finalFates()
        }
        await watch.close()
        await phone.close()
        return .done(applied.all)
    }

    private static func configuration(_ role: LinkRole) -> WormholeConfiguration {
        var configuration = WormholeConfiguration.quick(role)
        configuration.timing = LinkTiming(
            keepAlive: .milliseconds(700), supervision: .milliseconds(2_100), helloTimeout: .milliseconds(1_400))
        return configuration
    }

    /// The outcome of the exchange, or `.hung` after four minutes: beside all other tests a second may pass between two steps.
    private static func outcome(with failure: OneFailure) async throws -> Outcome {
        try await SocketCalls.$fault.withValue(SocketCalls.Fault(failure.failure)) {
            try await withThrowingTaskGroup(of: Outcome.self) { group in
                group.addTask { try await exchange() }
                group.addTask {
                    // The deadline of the exchange.
                    try await Task.sleep(for: .seconds(240))
                    return .hung
                }
                defer { group.cancelAll() }
                return try await group.next() ?? .hung
            }
        }
    }

    /// The first four are handled in four ways, and the others like one of them.
    private static let reasons: [Errno] = [
        .interrupted, .wouldBlock, .tooManyOpenFiles, .connectionReset, .brokenPipe, .tooManyOpenFilesInSystem,
        .noMemory, .noBufferSpace, .ioError,
    ]

    @Test(arguments: reasons.prefix(TestLevel.rounds(4, nightly: reasons.count)))
    func `A call that fails once loses nothing`(_ reason: Errno) async throws {
        let calls: Set = ["bind", "listen", "accept", "connect", "getsockopt", "send", "recv"]
        var failed: Set<String> = []
        // Which call has which number depends on whose turn it is: on a busy machine one may be missed in a round.
        for _ in 0..<5 where !failed.isSuperset(of: calls) { failed.formUnion(try await failEachCall(reason)) }
        #expect(failed.isSuperset(of: calls), "\(failed)")
    }

    /// Has each call fail once, and returns the names of those that did.
    private func failEachCall(_ reason: Errno) async throws -> Set<String> {
        var failed: Set<String> = []
        for number in 1... {
            let failure = OneFailure(ofCall: number, reason)
            let outcome = try await Self.outcome(with: failure)
            guard let call = failure.call else {
                #expect(outcome == .done([1, 2, 3, 4]))
                break
            }
            failed.insert(call)
            switch outcome {
            case .done(let applied): #expect(applied == [1, 2, 3, 4], "\(reason) of call \(number), \(call)")
            case .told(.system(_, _, reason)): break
            case .told(.alreadyServed) where call == "flock" && reason == .wouldBlock: break
            case .told, .hung: Issue.record("\(outcome) after \(reason) of call \(number), \(call)")
            }
        }
        return failed
    }
}
