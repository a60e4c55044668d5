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
            guard let title = settled(near, far) else { return }
            let start = steadyNanoseconds()
            near.send(.touch(row: 0))
            guard case .met = far.wait(for: .seconds(20), until: { $0.description.rows.first?.title != title }) else {
                return
            }
            OtherProcess.report(0, steadyNanoseconds() - start)
        }
    }

    /// The first row, once both watches show it; nil where they do not.
    private func settled(_ near: SimulatedWatch, _ far: SimulatedWatch) -> String? {
        guard case .met(let snapshot) = far.wait(for: .seconds(20), until: { $0.description.rows.count > 0 }) else {
            return nil
        }
        let title = snapshot.description.rows.first?.title
        guard case .met = near.wait(for: .seconds(20), until: { $0.description.rows.first?.title == title }) else {
            return nil
        }
        return title
    }

    private func watch(_ directory: String) throws -> SimulatedWatch {
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), radio: SocketRadio(path: directory + "/host.sock"),
            clock: .real(HostClock()), calendar: .machine, profile: .instant)
        return try SimulatedWatch(
            running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: .random(in: .min ... .max)))
    }
}
