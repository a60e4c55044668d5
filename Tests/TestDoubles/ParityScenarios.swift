import DeviceModel
import Watch
import WatchLink

/// Steps for two watches that must behave alike, such as a simulated watch and one whose machine code is executed.
/// Tests compare both watches after each step.
package enum ParityScenarios {
    private static let pause = ParityStep.run(.milliseconds(400))

    /// A swipe from the list to the past items, which are to the right of the list.
    private static let swipeLeft: [ParityStep] = swipe(from: 120, to: 24)
    private static let swipeRight: [ParityStep] = swipe(from: 24, to: 120)

    private static func swipe(from start: Int16, to end: Int16) -> [ParityStep] {
        [
            .send(.touch(x: start, y: 84)), .send(.moved(x: (start + end) / 2, y: 84)), .send(.lifted(x: end, y: 84)),
            pause,
        ]
    }

    package static let all: [(name: String, items: Int, steps: [ParityStep])] = [
        ("a new watch", 0, [.run(.seconds(1)), .send(.press(.crown)), pause, .send(.press(.crown)), pause]),
        (
            "taps", 10,
            [
                .connect, pause, .tap(row: 0), pause, .tap(row: 2), pause, .tap(row: 0), .tap(row: 1), pause,
                .send(.touch(x: 3, y: 3)), .send(.lifted(x: 3, y: 3)), pause, .run(.seconds(5)),
            ]
        ),
        (
            "drags, long presses and fingers that lift elsewhere", 30,
            [
                .connect, pause, .send(.touch(x: 60, y: 150)), .send(.moved(x: 60, y: 130)),
                .send(.moved(x: 60, y: 78)), .send(.moved(x: 60, y: 120)), .send(.lifted(x: 60, y: 90)), pause,
                .send(.touch(x: 60, y: 60)), .run(.milliseconds(600)), .send(.lifted(x: 60, y: 60)), pause,
                .send(.touch(x: 60, y: 100)), .send(.moved(x: 60, y: 60)), .send(.lifted(x: 60, y: 60)), pause,
                .send(.touch(x: 60, y: 100)), .send(.lifted(x: 62, y: 98)), pause,
                .send(.touch(x: 60, y: 60)), .send(.lifted(x: 60, y: 50)), pause,
                .send(.touch(x: 60, y: 70)), .send(.lifted(x: 60, y: 76)), pause,
                .send(.touch(x: 10, y: 60)), .send(.moved(x: 100, y: 62)), .send(.lifted(x: 10, y: 60)), pause,
                .send(.lifted(x: 60, y: 60)), pause, .tap(row: 1), pause, .send(.press(.crown)), pause,
                .send(.touch(x: 100, y: 60)), .send(.lifted(x: 20, y: 60)), pause,
            ]
        ),
        (
            "the crown, the face and the sheets", 30,
            [
                .connect, pause, .send(.crown(detents: 5)), pause, .tap(row: 3), pause, .send(.crown(detents: 100)),
                pause, .send(.crown(detents: -2)), pause, .send(.press(.crown)), pause, .send(.press(.side)), pause,
                .send(.press(.crown)), pause, .send(.press(.crown)), pause, .send(.crown(detents: -128)), pause,
            ]
        ),
        (
            "without a phone", 5,
            [
                .connect, pause, .cut, pause, .tap(row: 0), pause, .tap(row: 1), pause, .run(.seconds(20)), .connect,
                pause, .tap(row: 0), pause,
            ]
        ),
        (
            "changes on the phone", 4,
            [
                .connect, pause, .add(50, "Rye bread, sliced and rather long for a row"), pause, .remove(2), pause,
                .rename(3, "Crème fraîche"), pause, .tap(row: 1), .remove(1), pause, .send(.press(.crown)), pause,
            ]
        ),
        (
            "a restart", 8,
            [
                .connect, pause, .tap(row: 0), pause, .cut, pause, .tap(row: 0), pause, .restart, pause, .connect,
                pause, .tap(row: 0), pause,
            ]
        ),
        ("the end of a list", 2, [.connect, pause, .tap(row: 0), pause, .tap(row: 0), pause, .run(.seconds(2))]),
        (
            "past items", 2,
            [.offer(14), .connect, pause] + swipeLeft + [.tap(row: 1), pause, .tap(row: 0), .tap(row: 0), pause]
                + [.send(.crown(detents: 6)), pause, .tap(row: 5), pause, .tap(row: 5), pause] + swipeRight
                + [.cut, pause] + swipeLeft + [.tap(row: 2), pause, .send(.press(.crown)), pause, .restart, pause]
                + [.connect, pause, .tap(row: 0), pause, .offer(0), pause] + swipeLeft
        ),
        ("more than the watch holds", 200, [.connect, .run(.seconds(2)), .tap(row: 5), pause, .tap(row: 0), pause]),
    ]

    package static func named(_ name: String) -> (name: String, items: Int, steps: [ParityStep])? {
        all.first { $0.name == name }
    }
}

package enum ParityStep: Sendable {
    case send(Input)
    case tap(row: Int)
    case connect
    case cut
    case add(UInt32, String)
    case remove(UInt32)
    case rename(UInt32, String)
    case offer(Int)
    case timeline([ComplicationEntry])
    case run(Microseconds)
    case restart

    fileprivate static func pastItems(_ count: Int) -> [PhoneItem] {
        (0..<count).map { PhoneItem(id: 900 + UInt32($0), title: "Past item \($0 + 1)") }
    }
}

/// A watch and a phone that share a virtual clock.
package protocol ParityBench: AnyObject {
    var phone: InMemoryPhone { get }
    /// The watch's picture. Nil if the panel is not as large as a `PanelFrame`.
    var frame: PanelFrame? { get }
    var patterns: [HapticPattern] { get }
    func connect()
    func cut()
    func onPhone(_ change: (InMemoryPhone) -> Void)
    func send(_ input: Input)
    func send(_ inputs: [Input])
    func run(for length: Microseconds)
    func restart() throws
}

extension ParityBench {
    package func perform(_ step: ParityStep) throws {
        switch step {
        case .send(let input): send(input)
        case .tap(let row): send(.tap(row: row))
        case .connect: connect()
        case .cut: cut()
        case .add(let id, let title): onPhone { $0.add(PhoneItem(id: id, title: title)) }
        case .remove(let id): onPhone { $0.remove(id) }
        case .rename(let id, let title): onPhone { $0.rename(id, to: title) }
        case .offer(let count): onPhone { $0.offer(ParityStep.pastItems(count)) }
        case .timeline(let entries): onPhone { $0.send(timeline: entries) }
        case .run(let length): run(for: length)
        case .restart: try restart()
        }
    }

    /// Compares this watch and its phone with another pair. Returns a short name for each thing that differs, such as
    /// "picture".
    package func differences(from other: some ParityBench) -> [String] { outwardDifferences(from: other) }

    fileprivate func outwardDifferences(from other: some ParityBench) -> [String] {
        let messages = { (checkOffs: [PhoneCheckOff]) in checkOffs.map { [$0.id, $0.sequence] } }
        var differences: [String] = []
        if let frame, frame != other.frame { differences.append("picture") }
        if patterns != other.patterns { differences.append("haptics") }
        if messages(phone.checkOffs) != messages(other.phone.checkOffs) { differences.append("messages") }
        if phone.waiting != other.phone.waiting { differences.append("the phone's list") }
        return differences
    }
}

extension ProgramBench: ParityBench where Program: ~Copyable {
    package var frame: PanelFrame? { snapshot.frame }

    package var patterns: [HapticPattern] { snapshot.haptics.pulses.map(\.pattern) }

    package func cut() { radio.cut() }

    package func differences<Other: WatchProgram & ~Copyable>(from other: ProgramBench<Other>) -> [String] {
        let stages = { (snapshot: WatchSnapshot) in snapshot.taps.map { $0.stages.map(\.name) } }
        var differences = outwardDifferences(from: other)
        if snapshot.description.lines != other.snapshot.description.lines { differences.append("text") }
        if stages(snapshot) != stages(other.snapshot) { differences.append("stages") }
        return differences
    }
}
