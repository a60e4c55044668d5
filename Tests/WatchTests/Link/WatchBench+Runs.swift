import DeviceModelTesting
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

extension WatchBench<ShippingHandler> {
    /// A watch that has the whole list of its phone.
    static func connected(items: Int = 10) throws -> WatchBench<ShippingHandler> {
        let bench = try WatchBench(items: items, handler: ShippingHandler())
        bench.connect()
        bench.run(for: .seconds(2))
        return bench
    }

    /// Taps a row, and waits until it has gone and the phone has the check-off, where there is a link.
    func tapAndWait(_ row: Int) {
        tap(row)
        run(for: .seconds(1))
    }

    func expectAgreement() {
        #expect(screen.isSynchronized)
        #expect(titles == phone.waiting.map(\.title))
    }

    /// The watch with another phone, or with the same one from another database.
    func joined(to phone: SimulatedPhone) throws -> WatchBench<ShippingHandler> {
        radio.cut()
        run(for: .seconds(1))
        watch.stop()
        let next = try WatchBench(phone: phone, handler: ShippingHandler(), flash: flash.contents)
        try next.restart()
        next.radio.connect()
        next.run(for: .seconds(2))
        next.radio.connect()
        next.run(for: .seconds(5))
        return next
    }
}
