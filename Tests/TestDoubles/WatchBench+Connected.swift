import DeviceModel
import Watch
import WatchLink

extension WatchBench<ShippingHandler> {
    /// A watch in sync with a phone that has `items` items. It has run for this long since.
    package static func connected(items: Int = 10, for length: Microseconds = .zero) throws -> WatchBench {
        let bench = try WatchBench(items: items, handler: ShippingHandler())
        bench.connect()
        if length > .zero { bench.run(for: length) }
        return bench
    }
}
