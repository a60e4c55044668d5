import DeviceModel
import Testing
import WatchLink

@testable import Watch

/// A full outbox takes nothing more and stops nothing, whatever the handler sends.
@Suite struct FullOutboxTests {
    /// Sends two messages for a tap.
    private struct TwiceTelling: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(ListModel.self)
            Immediate(RowRemoval.self)
            Immediate(PhoneMessage.self)
            Deferred(PhoneMessage.self)
        }
    }

    /// Asks for the list before it sends the message.
    private struct AskingFirst: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(ReloadingComplication.self)
            Immediate(ListModel.self)
            Immediate(RowRemoval.self)
            Deferred(PhoneMessage.self)
        }
    }

    /// A watch without its phone, tapped until the outbox is full or the list is empty, and on.
    private func tapped<Handler: TapHandler>(_ handler: Handler) throws -> WatchBench<Handler> {
        let bench = try WatchBench(phone: SimulatedPhone(items: 128), handler: handler)
        bench.connect()
        bench.radio.cut()
        for _ in 0..<130 {
            bench.tap(0)
            bench.run(for: .milliseconds(300))
        }
        return bench
    }

    @Test func `a message for which there is no room is felt as a failure`() throws {
        let bench = try tapped(TwiceTelling())
        #expect(bench.snapshot.haptics.pulses.contains { $0.pattern == .failure })
        bench.connect()
        #expect(bench.screen.isSynchronized)
        #expect(Set(bench.phone.checkOffs.map(\.id)).count >= 96)
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }

    @Test func `a request leaves room for the message of its tap`() throws {
        let bench = try tapped(AskingFirst())
        bench.connect()
        // Each of its requests is answered with the whole list.
        var waits = 0
        while waits < 20, bench.titles != bench.phone.waiting.map(\.title) {
            bench.run(for: .seconds(60))
            waits += 1
        }
        #expect(Set(bench.phone.checkOffs.map(\.id)).count >= 96)
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }
}
