import HostSystem
import Synchronization
import WatchLink

@testable import DeviceModel
@testable import TerminalWatch
@testable import Watch

/// A watch that runs no program. It shows a list and strikes through the rows that are tapped. The watch's own code
/// draws the list.
final class FakeWatch: WatchDevice {
    private struct State {
        var snapshot = WatchSnapshot()
        var inputs: [Input] = []
        var sideButton: @Sendable () -> Void = {}
        var letsStruckRowsGo = RowRemoval.never
        var unmetWaits = 0
    }

    enum RowRemoval {
        case never
        case atOnce
    }

    private let state: Mutex<State>
    private let clock = ContinuousClock()
    private let began = ContinuousClock().now
    let access: WatchAccess

    init(rows: [String] = FakeWatch.groceries, faults: FaultSwitches? = nil) throws {
        access = WatchAccess(mailbox: try SnapshotMailbox(), inputs: try InputQueue(), faults: faults)
        var snapshot = WatchSnapshot()
        snapshot.description.screen = .list
        snapshot.description.title = "Groceries"
        snapshot.description.remaining = UInt32(rows.count)
        snapshot.description.rows = rows.enumerated().map {
            ScreenDescription.Row(id: UInt32($0.offset + 1), title: $0.element)
        }
        snapshot.description.link = .reachable
        snapshot.description.isSynchronized = true
        snapshot.output.frame = FakeWatch.frame(of: snapshot.description)
        state = Mutex(State(snapshot: snapshot))
    }

    static let groceries = [
        "Milk", "Sourdough bread", "Eggs, a dozen", "Crème fraîche", "Brötchen", "Olive oil", "Žemlovka",
        "Coffee beans",
        "Washing-up liquid", "Apples",
    ]

    var onSideButton: @Sendable () -> Void {
        get { state.withLock { $0.sideButton } }
        set { state.withLock { $0.sideButton = newValue } }
    }

    var letsStruckRowsGo: RowRemoval {
        get { state.withLock { $0.letsStruckRowsGo } }
        set { state.withLock { $0.letsStruckRowsGo = newValue } }
    }

    var unmetWaits: Int { state.withLock { $0.unmetWaits } }

    var inputs: [Input] { state.withLock { $0.inputs } }

    var now: Instant {
        let (seconds, attoseconds) = (clock.now - began).components
        return Instant(microseconds: UInt64(seconds) * 1_000_000 + UInt64(attoseconds) / 1_000_000_000_000)
    }

    var snapshot: WatchSnapshot { state.withLock { $0.snapshot } }

    var sent: InputNumber { state.withLock { InputNumber(UInt64($0.inputs.count)) } }

    @discardableResult func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let now = max(now, time)
        let number = state.withLock { state -> InputNumber in
            state.inputs.append(input)
            switch input {
            case .touch, .moved: break
            case .lifted(_, let y):
                let input = InputNumber(UInt64(state.inputs.count))
                FakeWatch.strike(y: Int(y), by: input, at: now, in: &state.snapshot)
            case .crown(let detents):
                let first = state.snapshot.description.firstVisibleRow + Int(detents)
                state.snapshot.description.firstVisibleRow =
                    max(0, min(first, state.snapshot.description.rows.count - RowGeometry.rowsVisible))
            case .press(.crown): state.snapshot.description.screen = .list
            case .press(.side), .hold, .pairing, .wrist, .clock: break
            }
            switch state.letsStruckRowsGo {
            case .never: break
            case .atOnce: state.snapshot.description.rows.removeAll { $0.state == .struck }
            }
            state.snapshot.output.frame = FakeWatch.frame(of: state.snapshot.description)
            state.snapshot.number += 1
            state.snapshot.handled = InputNumber(UInt64(state.inputs.count))
            return state.snapshot.handled
        }
        changes.signal()
        if input == .press(.side) { onSideButton() }
        return number
    }

    func change(_ body: (inout WatchSnapshot) -> Void) {
        state.withLock {
            body(&$0.snapshot)
            $0.snapshot.number += 1
        }
        changes.signal()
    }

    func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        let snapshot = snapshot
        if condition(snapshot) { return .met(snapshot) }
        state.withLock { $0.unmetWaits += 1 }
        return .timedOut(snapshot)
    }

    func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage { throw .impossible }

    func stop() {
        change { $0.phase = .stopped }
    }

    private static func strike(y: Int, by input: InputNumber, at now: Instant, in snapshot: inout WatchSnapshot) {
        guard let position = RowGeometry.row(atY: y), snapshot.description.row(at: position) != nil else { return }
        let index = snapshot.description.firstVisibleRow + position
        snapshot.description.rows[index].state = .struck
        snapshot.description.remaining -= 1
        snapshot.output.haptics.enter(HapticPulse(.click, at: now))
        let tap = TapNumber(UInt32(snapshot.output.haptics.count))
        snapshot.output.beginTap(input)
        let marks: [(TapMark, UInt32)] = [
            (.touch, 0), (.handled, 700), (.updated, 3_400), (.settled, 14_200), (.durable, 4_900), (.sent, 5_600),
            (.committed, 9_800), (.acknowledged, 11_300),
        ]
        for (mark, microseconds) in marks {
            snapshot.output.taps.enter(.mark(mark, tap: tap, at: now + Microseconds(UInt64(microseconds))))
        }
    }

    static func frame(of description: ScreenDescription) -> PanelFrame {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { memory.deallocate() }
        var arena = MemoryArena(memory)
        var picture = Framebuffer(arena: &arena)
        let titleBar = TitleBar(
            title: ItemTitle(utf8: Array(description.title.utf8).span), remaining: description.remaining,
            link: .reachable)
        let appearance = ListAppearance(
            titleBar: titleBar, firstVisible: description.firstVisibleRow, more: description.more, placeholder: .allDone
        )
        var items = ItemList(arena: &arena)
        for (index, row) in description.rows.enumerated() {
            let title = ItemTitle(utf8: Array(row.title.utf8).span)
            items.put(ListItem(id: ItemID(UInt32(index + 1)), rank: UInt32(index), title: title))
            if row.state == .struck { _ = items.strike(row: index) }
        }
        appearance.draw(items.rows(.list), into: &picture)
        var panel = FramePanel()
        picture.flush(to: &panel)
        return panel.frame
    }

    private struct FramePanel: Panel {
        var frame = PanelFrame()

        mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
            frame.setLine(line, to: pixels)
        }
    }
}

extension WatchLabel {
    static let sample = WatchLabel(name: "Tapline", profile: "memory-lcd", handler: "shipping")
}
