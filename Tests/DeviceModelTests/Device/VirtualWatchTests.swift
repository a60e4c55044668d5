import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

extension DeviceProfile {
    /// A profile in which only the panel takes time: 160 bits at 2 MHz, so 80 us for each line.
    static var panelAlone: DeviceProfile {
        var profile = DeviceProfile.instant
        profile.panel = PanelCost(busHertz: 2_000_000, bitsPerLine: 160, bitsPerFlush: 0)
        return profile
    }
}

func virtualWatch(
    titles: [String] = ["Milk", "Bread", "Apples"], radio: (any RadioPort & Sendable)? = nil,
    faults: FaultSwitches? = nil
) throws -> VirtualWatch<StandInProgram<BlankFlash>> {
    let board = try SimulatedBoard(
        flash: BlankFlash(), radio: radio, clock: .virtual(VirtualClock()),
        calendar: .set(LocalTime(seconds: 1_000_000), at: .start), profile: .panelAlone)
    return try VirtualWatch(running: StandInProgram(board: board, titles: titles), faults: faults)
}

extension VirtualWatch<StandInProgram<BlankFlash>> {
    var frameTime: Microseconds { Microseconds(80 * UInt64(RowGeometry.rowsVisible)) }
}

@Suite struct VirtualWatchTests {
    @Test func `The first frame is there from the start`() throws {
        let watch = try virtualWatch()
        #expect(watch.snapshot.number == 1)
        #expect(watch.snapshot.description.title == "Groceries")
        #expect(watch.snapshot.frame != PanelFrame())
    }

    @Test func `An input is handled while a caller waits, and not before`() throws {
        let watch = try virtualWatch()
        let number = watch.send(.tap(row: 0))
        #expect(watch.snapshot.handled < number)
        let snapshot = watch.settle().snapshot
        #expect(snapshot.handled == number)
        #expect(snapshot.description.rows[0].state == .struck)
    }

    @Test func `Time passes as it is asked to, and what is due happens`() throws {
        let watch = try virtualWatch()
        watch.send(.tap(row: 0))
        _ = watch.settle()
        let before = watch.now
        _ = watch.wait(for: .milliseconds(249)) { _ in false }
        #expect(watch.now >= before + .milliseconds(249))
        #expect(watch.snapshot.description.rows.count == 3)
        _ = watch.wait(for: .milliseconds(2)) { _ in false }
        #expect(watch.snapshot.description.rows.map(\.title) == ["Bread", "Apples"])
    }

    @Test func `A wait ends as soon as its condition holds`() throws {
        let watch = try virtualWatch()
        watch.send(.tap(row: 1))
        #expect(watch.wait(for: .seconds(60)) { $0.description.rows.count == 2 }.met != nil)
        #expect(watch.now < Instant(microseconds: 300_000))
    }

    @Test func `A scheduled input carries its own time`() throws {
        let watch = try virtualWatch()
        watch.send(.tap(row: 0), at: Instant(microseconds: 5_000_000))
        _ = watch.wait(for: .seconds(6)) { _ in false }
        #expect(watch.snapshot.taps.first?.time(of: .touch) == Instant(microseconds: 5_000_000))
    }

    @Test func `Once stopped it stays as it is`() throws {
        let watch = try virtualWatch()
        watch.stop()
        watch.stop()
        watch.send(.tap(row: 0))
        let end = watch.settle().stopped
        #expect(end?.phase == .stopped)
        #expect(end?.description.rows[0].state == .waiting)
    }
}
