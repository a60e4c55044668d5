import ArgumentParser
import DeviceModel
import Foundation
import Histogram
import HostRadio
import HostSystem
import PhoneHost
import Watch

/// How long a check-off takes from one watch to another.
struct CheckOffBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-off",
        abstract: "Taps rows of a simulated watch, and times when another one no longer shows them.",
        discussion: """
            The host is this process, the two watches are another one. Each watch is the product's program on a simulated board \
            whose processor, flash and panel take no time; their radios are Unix sockets.
            """)

    @Option(help: "How many rows are tapped.")
    var count = 50

    @Option(help: "The directory of the database: which disk it is on.")
    var place = "/tmp"

    func validate() throws {
        guard count > 0 else { throw ValidationError("there is at least one tap") }
    }

    func run() async throws {
        try Cores.keep(on: Cores.own)
        let directory = try TemporaryDirectory(in: place)
        let host = try await Host(in: directory.path, items: count + 3)
        let other = try OtherProcess(doing: .scale(.checkOff), on: Cores.possible.last?.other ?? 0, count: count)
        try host.admitWatches(to: other.directory.path)
        var times = Histogram<UInt32>(highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .three)
        for (_, nanoseconds) in try await other.reports(count) { times.record(min(nanoseconds / 1_000, 60_000_000)) }
        var figures = Figures("\(count) check-offs on watch A, host in \(place)")
        figures.add("from the tap until watch B does not show the row", times.percentiles)
        print(figures.text)
        await host.stop()
    }
}

/// Two simulated watches of one phone.
struct CheckOffWatches: Answerer {
    let count: Int

    func serve(in directory: String) async throws {
        let (near, far) = (try watch(directory), try watch(directory))
        // To wait for a watch blocks a thread.
        try await SystemThread.result { tap(near, until: far) }
        try await OtherProcess.waitForEnd()
        near.stop()
        far.stop()
    }

    private func tap(_ near: SimulatedWatch, until far: SimulatedWatch) {
        for _ in 0..<count {
            // The row that was tapped before is gone from both.
            let shown = wait(for: far) { $0.description.screen == .list && !$0.description.rows.isEmpty }
            let title = shown?.description.rows.first?.title
            guard
                wait(for: near, until: { $0.description.screen == .list && $0.description.rows.first?.title == title })
                    != nil
            else { return }
            // The wearer looks; a touch just after rows have moved is none.
            usleep(400_000)
            let start = steadyNanoseconds()
            near.send(.tap(row: 0))
            guard wait(for: far, until: { $0.description.rows.first?.title != title }) != nil else { return }
            OtherProcess.report(0, steadyNanoseconds() - start)
        }
    }

    /// The snapshot of a watch that meets a condition. Where none does so in 20 s there is a line about it, and the process ends.
    private func wait(
        for watch: SimulatedWatch, until condition: @escaping @Sendable (WatchSnapshot) -> Bool
    ) -> WatchSnapshot? {
        switch watch.wait(for: .seconds(20), until: condition) {
        case .met(let snapshot): return snapshot
        case .timedOut, .stopped:
            Console.complain("a watch is stuck: \(watch.snapshot.description)")
            exit(1)
        }
    }

    private func watch(_ directory: String) throws -> SimulatedWatch {
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: SocketRadio(path: directory + "/host.sock"),
            clock: .real(HostClock()), calendar: .machine, profile: .instant)
        return try SimulatedWatch(
            running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: .random(in: .min ... .max)))
    }
}
