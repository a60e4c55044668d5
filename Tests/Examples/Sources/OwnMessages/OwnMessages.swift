// Sends messages of your own between two programs, which connect through a socket in a directory. The watch asks the
// phone for the time of a lap, and passes the score. The phone answers, and prints each score.
//
//     mkdir -m 700 ends
//     swift run --package-path Tests/Examples OwnMessages phone ends
//     swift run --package-path Tests/Examples OwnMessages watch ends
//
// Start the phone in one terminal and the watch in another, in any order. Interrupt the phone to end it.

import WatchLink
import Wormhole

struct Score: Codable, Sendable {
    var home: Int
    var guests: Int
}

@main struct OwnMessages {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch (arguments.count, arguments.dropFirst().first) {
        case (3, "phone"): try await runPhone(in: arguments[2])
        case (3, "watch"): try await runWatch(in: arguments[2])
        default: print("usage: OwnMessages phone|watch DIRECTORY")
        }
    }

    static func runPhone(in directory: String) async throws {
        let sockets = try SocketDirectory(path: directory)
        let phone = Wormhole(
            .listens(try UnixListener("watch.sock", in: sockets)),
            store: try MessageStore(path: "\(directory)/phone.sqlite"),
            configuration: WormholeConfiguration(role: .phone))
        let scores = phone.messages(of: Score.self, under: "score")
        _ = try phone.answer("lap", of: Int.self) { lap, _ in 60 + lap }
        try await phone.start()
        for await score in scores { print("score \(score.home) : \(score.guests)") }
    }

    static func runWatch(in directory: String) async throws {
        let watch = Wormhole(
            .connects(UnixConnector(path: "\(directory)/watch.sock")),
            store: try MessageStore(path: "\(directory)/watch.sqlite"),
            configuration: WormholeConfiguration(role: .watch))
        try await watch.start()
        // A question is answered now or fails. It is not stored.
        let seconds = try await watch.ask(
            3, under: "lap", for: Int.self, of: .phone, reaching: .within(.seconds(60)))
        print("lap 3 took \(seconds) s")
        // A queued message is stored until the phone has applied it, also through restarts of both sides.
        let handle = try await watch.pass(Score(home: 2, guests: 1), under: "score", delivery: .queued)
        let fates = await handle?.finalFates() ?? [:]
        for (peer, fate) in fates { print("the score is \(fate) (\(peer))") }
        await watch.close()
    }
}
