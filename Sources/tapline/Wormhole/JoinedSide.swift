import Foundation
import Synchronization
import Wormhole

/// A command of `tapline wormhole` failed.
enum WormholeFailure: Error, Equatable, CustomStringConvertible {
    /// What the endpoint says.
    case reply(SharedReply.Failure)
    /// Something has not happened yet.
    case late(String)
    /// The command cannot do that as it is written.
    case wrongUse(String)
    case text(String)

    var description: String {
        switch self {
        case .reply(let failure): failure.text
        case .late(let text), .wrongUse(let text), .text(let text): text
        }
    }

    /// The statuses of sysexits.h: 69 where the peer is out of reach, 75 where there was no answer in time, 64 for a wrong use, else 1.
    var status: Int32 {
        switch self {
        case .reply(let failure):
            switch failure.kind {
            case .unreachable: EX_UNAVAILABLE
            case .noAnswer: EX_TEMPFAIL
            case .closed, .other: EXIT_FAILURE
            }
        case .late: EX_TEMPFAIL
        case .wrongUse: EX_USAGE
        case .text: EXIT_FAILURE
        }
    }
}

/// The endpoint of a side, whichever program has it open.
struct JoinedSide {
    private enum Host {
        /// Another program, which this channel was opened to; nil once a command has it.
        case other(Unused)
        case own(OwnEndpoint)
    }

    /// The connection that has found out that another program has the side: the first command takes it.
    private final class Unused: Sendable {
        private let channel: Mutex<SharedChannel?>

        init(_ channel: SharedChannel) { self.channel = Mutex(channel) }

        func take() -> SharedChannel? {
            channel.withLock { channel in
                defer { channel = nil }
                return channel
            }
        }
    }

    private let options: SideOptions
    private let use: OwnEndpoint.Use
    private let host: Host

    /// Joins the program that has the side open, or opens it here.
    init(_ options: SideOptions, _ use: OwnEndpoint.Use) async throws {
        self.options = options
        self.use = use
        var attempts = 0
        while true {
            if let channel = try await JoinedSide.shared(options) {
                host = .other(Unused(channel))
                return
            }
            do {
                host = .own(try await OwnEndpoint(options, use))
                return
            } catch WormholeError.alreadyServed(let path, let process) {
                // A program that opens the side just now shares it in a moment; one that ends gives it free.
                attempts += 1
                guard attempts < 40 else { throw JoinedSide.notShared(path, process) }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// A connection to the program that has the side open; nil where none has.
    private static func shared(_ options: SideOptions) async throws -> SharedChannel? {
        do throws(WormholeError) {
            return try await SharedChannel(to: options.side.role, in: SocketDirectory(path: options.sockets))
        } catch {
            // The one that has just ended gives it free.
            if case .nobodyListening = error { return nil }
            if error == .closed { return nil }
            if case .notAnswering = error { throw WormholeFailure.late(error.description) }
            throw error
        }
    }

    private static func notShared(_ path: String, _ process: Int32?) -> WormholeFailure {
        let holder = process.map { "process \($0)" } ?? "another program"
        return .text(
            "\(path) is in use by \(holder), which shares it with nobody: end it, or name other --sockets and --database"
        )
    }

    /// Begins a command.
    func begin(_ request: SharedRequest) async throws -> SharedChannel {
        switch (host, request) {
        case (.own(let endpoint), .receive), (.own(let endpoint), .answer):
            let channel = try await channel()
            do {
                try await channel.send(request)
                while try await CommandReplies(channel).nextOfMany() != .ready {}
                try await endpoint.connect()
            } catch {
                channel.close()
                throw error
            }
            return channel
        case (.own(let endpoint), _): try await endpoint.connect()
        case (.other, _): break
        }
        let channel = try await channel()
        try await channel.send(request)
        return channel
    }

    private func channel() async throws -> SharedChannel {
        if case .other(let unused) = host, let channel = unused.take() { return channel }
        return try await SharedChannel(to: options.side.role, in: SocketDirectory(path: options.sockets))
    }

    /// Performs a command, and calls `body` for each reply before the last. Where the program that has the side leaves before it has
    /// replied, one that may be done twice is done by whoever has the side next.
    ///
    /// - Throws: `.reply` where the endpoint says that it failed; `.closed` where its program left.
    func perform(_ request: SharedRequest, _ body: (SharedReply) async throws -> Void = { _ in }) async throws {
        var replies = 0
        do {
            try await performOnce(request) { reply in
                replies += 1
                try await body(reply)
            }
        } catch  where replies == 0 && request.mayBeRepeated && JoinedSide.hasLeft(error) {
            try await JoinedSide.again(options, use) { try await $0.performOnce(request, body) }
        }
    }

    private func performOnce(
        _ request: SharedRequest, _ body: (SharedReply) async throws -> Void
    ) async throws {
        let channel = try await begin(request)
        defer { channel.close() }
        let replies = CommandReplies(channel)
        while let reply = try await replies.next() { try await body(reply) }
    }

    /// Whether the program that has the side has left, and has done nothing of what it was asked.
    static func hasLeft(_ error: any Error) -> Bool {
        if case WormholeFailure.reply(let failure) = error { return failure.kind == .closed }
        guard let error = error as? WormholeError else { return false }
        if case .nobodyListening = error { return true }
        return error == .closed
    }

    /// Joins a side for one command, and where its program leaves before it has done anything, joins it again.
    static func again<Value>(
        _ options: SideOptions, _ use: OwnEndpoint.Use, _ body: (JoinedSide) async throws -> Value
    ) async throws -> Value {
        // Whoever has the side next may leave at once as well; somebody who always does is not waited for.
        for _ in 1..<JoinedSide.mostAttempts {
            do { return try await with(options, use, body) } catch  where hasLeft(error) { continue }
        }
        return try await with(options, use, body)
    }

    private static let mostAttempts = 5

    func leave() async {
        switch host {
        case .other(let unused): unused.take()?.close()
        case .own(let endpoint): await endpoint.close()
        }
    }

    /// Joins a side for one command, and leaves it whatever comes of it.
    static func with<Value>(
        _ options: SideOptions, _ use: OwnEndpoint.Use, _ body: (JoinedSide) async throws -> Value
    ) async throws -> Value {
        let side = try await JoinedSide(options, use)
        do {
            let value = try await body(side)
            await side.leave()
            return value
        } catch {
            await side.leave()
            throw error
        }
    }
}
