import DeviceModel
import Watch
import WatchLink

/// What a scenario does, step by step.
package enum ParityStep: Sendable {
    case send(Input)
    case tap(row: Int)
    case connect
    case cut
    case add(UInt32, String)
    case remove(UInt32)
    case rename(UInt32, String)
    /// Offers this number of past items; their identifiers begin at 900.
    case offer(Int)
    case timeline([ComplicationEntry])
    case run(Microseconds)
    case restart

    fileprivate static func pastItems(_ count: Int) -> [PhoneItem] {
        (0..<count).map { PhoneItem(id: 900 + UInt32($0), title: "Past item \($0 + 1)") }
    }
}

/// A watch and a phone on one virtual clock.
package protocol ParityBench: AnyObject {
    var phone: SimulatedPhone { get }
    var snapshot: WatchSnapshot { get }
    func connect()
    func cut()
    func onPhone(_ change: (SimulatedPhone) -> Void)
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
    /// What this watch shows, plays or has sent that another one does not, in a word each.
    package func differences(from other: some ParityBench) -> [String] {
        let (found, expected) = (snapshot, other.snapshot)
        let messages = { (checkOffs: [PhoneCheckOff]) in checkOffs.map { [$0.id, $0.sequence] } }
        let stages = { (taps: [TapHistory]) in taps.map { $0.stages.map(\.name) } }
        let patterns = { (haptics: HapticLog) in haptics.pulses.map(\.pattern) }
        var differences: [String] = []
        if found.description.common.lines != expected.description.common.lines { differences.append("text") }
        if found.frame != expected.frame { differences.append("picture") }
        if patterns(found.haptics) != patterns(expected.haptics) { differences.append("haptics") }
        if messages(phone.checkOffs) != messages(other.phone.checkOffs) { differences.append("messages") }
        if phone.waiting != other.phone.waiting { differences.append("the phone's list") }
        if stages(found.taps) != stages(expected.taps) { differences.append("stages") }
        return differences
    }
}

/// A watch that runs on a simulated board, whatever executes its program.
extension ProgramBench: ParityBench where Program: ~Copyable {
    package func cut() { radio.cut() }
}

extension ScreenDescription {
    /// What the bench line says of a screen too: neither the full title nor another time on the face. The pictures have both.
    fileprivate var common: ScreenDescription {
        var common = self
        (common.fullTitle, common.travel) = ("", nil)
        return common
    }
}
