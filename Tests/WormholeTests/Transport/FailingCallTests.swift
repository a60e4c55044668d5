import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// Each system call of the sockets fails once, with each error that it may return. No message is lost or applied twice,
/// and no task waits forever. If the phone cannot start, it throws an error that says why.
@Suite(.timeLimit(.minutes(60))) struct FailingCallTests {
    /// A fault that makes one system call fail. `number` counts the calls from 1.
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

        /// The name of the call that failed; nil if fewer calls were made.
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
        /// All messages were passed. The phone applied these numbers, in this order.
        case done([Int])
        /// The phone could not open its socket, and threw this error.
        case told(WormholeError)
        case hung
    }

    /// Runs a phone and a watch over a socket. The watch passes three messages. Then the phone ends the link, and the
    /// watch connects again and passes a fourth message.
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

    /// Runs the exchange, and returns `.hung` after four minutes. While all other tests run, each step of the exchange
    /// may take a second.
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

    /// The code handles the first four errors in four different ways. It handles each of the last five errors
    /// like one of the first four.
    private static let reasons: [Errno] = [
        .interrupted, .wouldBlock, .tooManyOpenFiles, .connectionReset, .brokenPipe, .tooManyOpenFilesInSystem,
        .noMemory, .noBufferSpace, .ioError,
    ]

    @Test(arguments: reasons.prefix(TestLevel.rounds(4, nightly: reasons.count)))
    func `A call that fails once loses nothing`(_ reason: Errno) async throws {
        let calls: Set = ["bind", "listen", "accept", "connect", "getsockopt", "send", "recv"]
        var failed: Set<String> = []
        // The order of the calls depends on how the tasks are scheduled. On a busy machine, a round may miss a call.
        for _ in 0..<5 where !failed.isSuperset(of: calls) { failed.formUnion(try await failEachCall(reason)) }
        #expect(failed.isSuperset(of: calls), "\(failed)")
    }

    /// Repeats the exchange, and makes another call fail each time. Returns the names of the calls that failed.
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
