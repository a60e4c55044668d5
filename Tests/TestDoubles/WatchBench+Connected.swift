import DeviceModel
import Watch
import WatchLink

extension WatchBench<ShippingHandler> {
    /// Connects a watch to a phone with `items` items, and waits until they are in sync. Then runs the watch for
    /// `length`.
    package static func connected(items: Int = 10, for length: Microseconds = .zero) throws -> WatchBench {
        let bench = try WatchBench(items: items, handler: ShippingHandler())
        bench.connect()
        if length > .zero { bench.run(for: length) }
        return bench
    }
}
