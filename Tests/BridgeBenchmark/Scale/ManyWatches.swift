import HostSystem
import ListFeedTesting
import Wormhole
import WormholeTesting

/// Watches without screens, in one process.
struct ManyWatches: Answerer {
    let count: Int

    func serve(in directory: String) async throws {
        var watches: [Wormhole] = []
        for number in 1...count {
            let list = WaitableState(WatchModel())
            let store = MessageStore.inMemory { message throws(WormholeError) in
                guard case .queued("list", let payload) = message.content else { return .applied }
                let (before, items) = list.change { list in
                    let before = list.items
                    try? list.apply(payload: payload)
                    return (before, list.items)
                }
                if items != before { OtherProcess.report(items, steadyNanoseconds()) }
                return .applied
            }
            let watch = Wormhole(
                .connects(UnixConnector(path: directory + "/host.sock")), store: store,
                configuration: WormholeConfiguration(role: .watch, name: "watch \(number)"), logger: .silent)
            try await watch.start()
            watches.append(watch)
        }
        try await OtherProcess.waitForEnd()
    }
}

extension WatchModel {
    /// How many items are on the list: those that it shows, and those behind them.
    fileprivate var items: UInt64 { UInt64(rows.count) + UInt64(more) }
}
