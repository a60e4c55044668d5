import DeviceModel
import Watch
import WatchLink

/// A watch that is tapped, one row after the other, with rest in between.
///
/// The list keeps its length: the phone adds an item to its end for each item that a tap has taken away.
final class TapBench<Handler: TapHandler> {
    let bench: WatchBench<Handler>
    let conditions: Conditions
    private let immediateStages: Int?
    var random: SplitMix64
    /// The list as the phone has it, in its order.
    var order: [UInt32]
    private var newest: UInt32
    var tapsSoFar: UInt32 = 0

    /// A watch in sync with its phone.
    init(
        _ handler: Handler, stages: [PlacedStage]?, under conditions: Conditions, activities: ActivityLog? = nil,
        describing rows: DescribedRows = .visible
    ) throws(TapLatencyError) {
        let count = conditions.listLength
        let table = try conditions.table(for: stages, remaining: count)
        do throws(DeviceModelError) {
            bench = try WatchBench(
                phone: SampleLists.phone(items: conditions.items, database: conditions.database), handler: handler,
                profile: conditions.profile, instructions: table, seed: conditions.seed, activities: activities,
                describing: rows)
        } catch {
            throw .board("\(error)")
        }
        self.conditions = conditions
        immediateStages = stages?.count { $0.runs && $0.placement == .immediate }
        random = SplitMix64(seed: conditions.seed)
        order = Array(1...UInt32(count))
        newest = UInt32(count)
        watchTime(beat: StageGuard.beat)
        bench.connect()
        rest()
    }

    /// Taps a row, waits until everything that follows from it has happened, and restores the list's length.
    func tap(_ attention: TapAttention = .times) throws(TapLatencyError) -> (record: TapRecord, seen: TapObserver) {
        let position = nextRow()
        bench.faults.loss = conditions.loss
        let touched = conditions.profile.touch.interrupt(after: bench.clock.now)
        var observer = TapObserver(touchedAt: touched, lines: bench.work.panelLines)
        let input = bench.watch.send(.touch(row: position))
        // The handler and everything that it has put off.
        wait(.seconds(120), &observer) { snapshot, _ in snapshot.handled >= input }
        switch attention {
        case .times: break
        case .effects: observer.complication = bench.screen.complication
        }
        wait(WatchLimits.struckRowHold + .milliseconds(50), &observer) { _, seen in seen.isSettled }
        bench.faults.loss = 0
        guard let struck = observer.history else { throw .watchFailed }
        if case .down = bench.radio.state { bench.connect() }
        if struck.time(of: .durable) != nil {
            wait(.seconds(60), &observer) { _, seen in seen.history?.time(of: .acknowledged) != nil }
        }
        tapsSoFar = struck.tap.count
        let told = struck.time(of: .durable) != nil
        if observer.isSettled || told || isInTheWay(position) { replace(position, told: told) }
        rest()
        return (try record(of: observer), observer)
    }

    /// Whether the row at `position` of the panel was tapped and stayed. Without the list model its strike is all that
    /// the next tap on it would find done already; without the strike and the removal the item is checked off and
    /// nothing shows it. Either would be in the way of the taps that follow.
    private func isInTheWay(_ position: Int) -> Bool {
        let screen = bench.screen
        if screen.remaining < UInt32(order.count) { return true }
        return switch screen.row(at: position)?.state {
        case .struck: true
        case .waiting, nil: false
        }
    }

    /// The row on the panel that is tapped next.
    func nextRow() -> Int {
        let row = Int.random(in: 0..<min(RowGeometry.rowsVisible, conditions.items), using: &random)
        return switch conditions.rows {
        case .visible: row
        case .top: 0
        }
    }

    func wait(
        _ length: Microseconds, _ observer: inout TapObserver, until isMet: (WatchSnapshot, TapObserver) -> Bool
    ) {
        let last = tapsSoFar
        _ = bench.watch.wait(for: length) { snapshot in
            observer.see(snapshot, numbersAfter: last)
            return isMet(snapshot, observer)
        }
    }

    /// Replaces the item at `position`, which is gone or struck, by one at the end of the list. The phone takes it off
    /// the watch's list where the handler has not.
    func replace(_ position: Int, told phone: Bool) {
        let gone = order.remove(at: position)
        newest += 1
        order.append(newest)
        let item = SampleLists.item(newest)
        bench.onPhone { phoneSide in
            // A handler without a message leaves it on the phone.
            if !phone { phoneSide.remove(SampleLists.id(gone)) }
            phoneSide.add(item)
        }
    }

    /// Rests until nothing is under way, and on into another phase of the touch scan and the connection events.
    func rest() {
        // A sector of flash takes tens of milliseconds to erase, a few datagrams as many connection events.
        bench.run(for: .milliseconds(150))
        for _ in 0..<400 where bench.radio.isCarrying { bench.run(for: .milliseconds(15)) }
        bench.run(for: Microseconds(.random(in: 0..<300_000, using: &random)))
    }

    /// The record of the last tap.
    func record(of seen: TapObserver) throws(TapLatencyError) -> TapRecord {
        guard let history = bench.watch.output.taps.histories.last, let handled = history.time(of: .handled) else {
            throw .watchFailed
        }
        return TapRecord(
            marks: LatencyMark.allCases.map { history.sinceTouch($0.mark) }, stages: history.stages,
            immediateStages: immediateStages ?? history.stages.count { $0.began < handled },
            updateLines: seen.updateLines, removalLines: seen.removalLines)
    }

    /// Gives up a stage that is still running at the second look.
    private func watchTime(beat: Int) {
        let clock = bench.clock
        TimeWatch(clock: clock, limit: conditions.limits.waiting).look(since: beat)
    }
}

/// What a tap is observed for.
enum TapAttention {
    case times
    /// The times and what it did, which takes longer to gather.
    case effects
}

/// Looks again and again, on the watch's clock, whether one and the same stage is still running.
private struct TimeWatch: Sendable {
    let clock: VirtualClock
    let limit: Microseconds

    func look(since beat: Int) {
        clock.schedule(at: clock.now + limit) {
            let now = StageGuard.beat
            if now == beat, !now.isMultiple(of: 2) { StageGuard.giveUpWaiting() }
            look(since: now)
        }
    }
}
