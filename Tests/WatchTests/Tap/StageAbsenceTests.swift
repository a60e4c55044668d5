import DeviceModel
import Testing
import WatchLink

@testable import Watch

/// What is missing without each stage of a handler: all but one of its stages, against all of them, on a watch without
/// a phone.
struct StageAbsenceTests {
    /// The shipping handler without one of its stages: `Left` takes that stage's place and does nothing.
    private struct Handler<
        Model: TapStage, Strike: TapStage, Removal: TapStage, Pulse: TapStage, Message: TapStage, Count: TapStage,
        Empty: TapStage, Entry: TapStage
    >: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(Model.self)
            Immediate(Strike.self)
            Immediate(Removal.self)
            Deferred(Message.self)
            Deferred(Pulse.self)
            Deferred(Count.self)
            Deferred(Empty.self)
            Deferred(Entry.self)
        }
    }

    private struct Nothing: TapStage {
        static var name: StaticString { "nothing" }

        static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    private typealias Full = Handler<
        ListModel, StrikeThrough, RowRemoval, Haptic, PhoneMessage, RemainingCount, Placeholder, ComplicationUpdate
    >

    /// A watch that was given a list and then lost its phone, tapped on its first row a second ago, or so long ago.
    private func tapped<Handler: TapHandler>(
        _ handler: Handler, items: Int = 3, after length: Microseconds = .seconds(1)
    ) throws -> WatchBench<Handler> {
        let bench = try WatchBench(phone: SimulatedPhone(items: items), handler: handler)
        bench.connect()
        bench.radio.cut()
        bench.run(for: .seconds(1))
        bench.tap(0)
        bench.run(for: length)
        return bench
    }

    @Test func `every stage of the shipping handler is among those that are left out here`() throws {
        func stages(_ handler: some TapHandler) throws -> [String]? {
            try tapped(handler).snapshot.taps.first?.stages.map(\.name)
        }
        #expect(try stages(ShippingHandler()) == stages(Full()))
    }

    @Test func `without the list model the item still counts`() throws {
        let without = try tapped(
            Handler<
                Nothing, StrikeThrough, RowRemoval, Haptic, PhoneMessage, RemainingCount, Placeholder,
                ComplicationUpdate
            >(), after: .milliseconds(100))
        #expect(try tapped(Full(), after: .milliseconds(100)).screen.remaining == 2)
        #expect(without.screen.remaining == 3)
    }

    @Test func `without the strike-through the row is never struck through`() throws {
        let without = try tapped(
            Handler<
                ListModel, Nothing, RowRemoval, Haptic, PhoneMessage, RemainingCount, Placeholder, ComplicationUpdate
            >(),
            after: .milliseconds(100))
        #expect(try tapped(Full(), after: .milliseconds(100)).screen.rows.first?.state == .struck)
        #expect(without.screen.rows.first?.state == .waiting)
    }

    @Test func `without the row removal the row never goes`() throws {
        let without = try tapped(
            Handler<
                ListModel, StrikeThrough, Nothing, Haptic, PhoneMessage, RemainingCount, Placeholder, ComplicationUpdate
            >(), after: .seconds(30))
        #expect(try tapped(Full()).titles == ["Item 2", "Item 3"])
        #expect(without.titles == ["Item 1", "Item 2", "Item 3"])
        without.tap(1)
        without.send(.press(.crown))
        without.send(.press(.crown))
        #expect(without.titles == ["Item 1", "Item 2", "Item 3"])
    }

    @Test func `without the row removal the row goes once the phone takes it off the list`() throws {
        let without = try tapped(
            Handler<
                ListModel, StrikeThrough, Nothing, Haptic, PhoneMessage, RemainingCount, Placeholder, ComplicationUpdate
            >())
        without.connect()
        without.run(for: .seconds(1))
        #expect(without.titles == ["Item 2", "Item 3"])
    }

    @Test func `without the haptic nothing is felt`() throws {
        let without = try tapped(
            Handler<
                ListModel, StrikeThrough, RowRemoval, Nothing, PhoneMessage, RemainingCount, Placeholder,
                ComplicationUpdate
            >())
        #expect(try tapped(Full()).snapshot.haptics.pulses.map(\.pattern) == [.click])
        #expect(without.snapshot.haptics.pulses.isEmpty)
    }

    @Test func `without the message the phone never hears of it`() throws {
        let full = try tapped(Full())
        let without = try tapped(
            Handler<
                ListModel, StrikeThrough, RowRemoval, Haptic, Nothing, RemainingCount, Placeholder, ComplicationUpdate
            >())
        full.connect()
        without.connect()
        #expect(full.phone.checkOffs.map(\.id) == [1])
        #expect(without.phone.checkOffs.isEmpty)
    }

    @Test func `without the remaining count the title bar shows the old number`() throws {
        let without = try tapped(
            Handler<
                ListModel, StrikeThrough, RowRemoval, Haptic, PhoneMessage, Nothing, Placeholder, ComplicationUpdate
            >())
        let shown = without.snapshot.frame
        #expect(try tapped(Full()).snapshot.frame != shown)
        // A full drawing shows what is missing.
        without.send(.press(.crown))
        without.send(.press(.crown))
        without.run(for: .seconds(1))
        #expect(without.snapshot.frame != shown)
    }

    @Test func `without the placeholder an empty list is a dark panel`() throws {
        let full = try tapped(Full(), items: 1)
        let without = try tapped(
            Handler<
                ListModel, StrikeThrough, RowRemoval, Haptic, PhoneMessage, RemainingCount, Nothing, ComplicationUpdate
            >(), items: 1)
        #expect(full.titles.isEmpty && without.titles.isEmpty)
        #expect(full.snapshot.frame != without.snapshot.frame)
    }

    @Test func `without the complication's update it goes on showing the item`() throws {
        let without = try tapped(
            Handler<
                ListModel, StrikeThrough, RowRemoval, Haptic, PhoneMessage, RemainingCount, Placeholder, Nothing
            >())
        #expect(try tapped(Full()).screen.complication == .init(text: "Item 2", remaining: 2))
        #expect(without.screen.complication == .init(text: "Item 1", remaining: 3))
    }

    @Test func `without the sorting database nothing is written but the message`() throws {
        struct Sorting: ComposedTapHandler {
            var stages: some TapHandler {
                Immediate(SortingDatabase.self)
                ShippingHandler()
            }
        }
        let (with, without) = (try tapped(Sorting()), try tapped(ShippingHandler()))
        #expect(with.work.pagePrograms > without.work.pagePrograms)
    }
}
