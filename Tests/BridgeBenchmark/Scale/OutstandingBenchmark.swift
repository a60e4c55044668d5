import ArgumentParser
import Foundation
import Wormhole

/// What messages that wait for a peer take of the memory.
struct OutstandingBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outstanding",
        abstract: "Weighs a program whose queued messages of 20 bytes wait for a peer that is away.")

    @Option(help: "How many messages wait.")
    var count = 10_000

    func validate() throws {
        guard (1...MessageStore.mostWaiting).contains(count) else {
            throw ValidationError("1 to \(MessageStore.mostWaiting) messages wait")
        }
    }

    func run() async throws {
        // A process of its own, whose memory nothing else has used.
        let other = try OtherProcess(doing: .scale(.outstanding), on: Cores.own, count: count)
        let weights = try await other.reports(3).map { Double($0.0) }
        var figures = Figures("\(count) outstanding messages of 20 bytes, resident memory")
        func add(_ name: String, _ bytes: Double) {
            figures.add(
                name, String(format: "%.1f MB, %.0f bytes a message", bytes / 1e6, (bytes - weights[0]) / Double(count))
            )
        }
        figures.add("before", String(format: "%.1f MB", weights[0] / 1e6))
        add("after, with the handles of all of them", weights[1])
        add("after, as another run of the program has them", weights[2])
        print(figures.text)
    }
}

/// A program that passes messages to a peer that is away.
struct OutstandingQueue: Answerer {
    let count: Int

    func serve(in directory: String) async throws {
        let first = try await Queue(directory)
        OtherProcess.report(UInt64(Usage.residentBytes))
        let handles = try await withThrowingTaskGroup(of: [MessageHandle?].self) { group in
            let together = min(count, 100)
            for part in 0..<together {
                group.addTask {
                    var handles: [MessageHandle?] = []
                    for _ in stride(from: part, to: count, by: together) {
                        handles.append(try await first.watch.pass(Probe.text, under: "probe", delivery: .queued))
                    }
                    return handles
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        OtherProcess.report(UInt64(Usage.residentBytes))
        await first.close()
        withExtendedLifetime(handles) {}
        try await again(directory)
        try await OtherProcess.waitForEnd()
    }

    private func again(_ directory: String) async throws {
        let next = try await Queue(directory)
        guard try await next.watch.outstanding().count == count else { throw OtherProcessHasGone() }
        OtherProcess.report(UInt64(Usage.residentBytes))
        await next.close()
    }

    private struct Queue: Sendable {
        let store: MessageStore
        let watch: Wormhole

        init(_ directory: String) async throws {
            store = try MessageStore(path: directory + "/store")
            watch = Wormhole(
                .connects(UnixConnector(path: directory + "/nobody")), store: store,
                configuration: WormholeConfiguration(role: .watch), logger: .silent)
            try await watch.start()
        }

        func close() async {
            await watch.close()
            await store.close()
        }
    }
}
