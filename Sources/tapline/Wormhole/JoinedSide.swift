import Foundation
import Wormhole

/// A command of `tapline wormhole` failed.
enum WormholeFailure: Error, Equatable, CustomStringConvertible {
    /// What the endpoint says.
    case reply(SharedReply.Failure)
    /// Something has not happened yet.
    case late(String)
    case text(String)

    var description: String {
        switch self {
        case .reply(let failure): failure.text
        case .late(let text), .text(let text): text
        }
    }

    /// The statuses of sysexits.h: 69 where the peer is out of reach, 75 where there was no answer in time, else 1.
    var status: Int32 {
        switch self {
        case .reply(let failure):
            switch failure.kind {
            case .unreachable: EX_UNAVAILABLE
            case .noAnswer: EX_TEMPFAIL
            case .closed, .other: EXIT_FAILURE
            }
        case .late: EX_TEMPFAIL
        case .text: EXIT_FAILURE
        }
    }
}

/// The endpoint of a side, whichever program has it open.
struct JoinedSide {
    private enum Host {
        case other
        case own(OwnEndpoint)
    }

    private let options: SideOptions
    private let host: Host

    /// Joins the program that has the side open, or opens it here.
    init(_ options: SideOptions, _ use: OwnEndpoint.Use) async throws {
        self.options = options
        var attempts = 0
        while true {
            if try await JoinedSide.isShared(options) {
                host = .other
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

    private static func isShared(_ options: SideOptions) async throws -> Bool {
        do throws(WormholeError) {
            try await SharedChannel(to: options.side.role, in: SocketDirectory(path: options.sockets)).close()
            return true
        } catch {
            if case .nobodyListening = error { return false }
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
        let channel = try await SharedChannel(to: options.side.role, in: SocketDirectory(path: options.sockets))
        try await channel.send(request)
        return channel
    }

    /// Performs a command, and calls `body` for each reply before the last.
    ///
    /// - Throws: `.reply` where the endpoint says that it failed.
    func perform(_ request: SharedRequest, _ body: (SharedReply) async throws -> Void = { _ in }) async throws {
        let channel = try await begin(request)
        defer { channel.close() }
        while true {
            let reply = try await channel.receive(SharedReply.self)
            switch reply {
            case .done: return
            case .failed(let failure): throw WormholeFailure.reply(failure)
            case .passed, .fate, .value, .named, .heard, .kept, .taken, .asked, .outstanding, .peer, .file, .progress,
                .received,
                .budget:
                try await body(reply)
            }
        }
    }

    func leave() async {
        switch host {
        case .other: break
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
