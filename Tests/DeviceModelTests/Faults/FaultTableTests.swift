import Foundation
import Testing

@testable import DeviceModel

@Suite struct FaultTableTests {
    @Test func `every fault has a key and words of its own`() {
        #expect(Set(Fault.all.map(\.key)).count == Fault.all.count)
        #expect(Set(Fault.forms.map(\.word)).count == Fault.forms.count)
    }

    @Test(arguments: Fault.byKey) func `a fault goes through its sizes and comes back to none`(fault: Fault) {
        var faults = WatchFaults()
        var sizes: [String] = []
        repeat {
            faults.make(fault.next(faults), at: .start)
            sizes.append(fault.meaning(faults))
        } while !faults.isNone && sizes.count < 10
        #expect(faults.isNone)
        #expect(Set(sizes).count == sizes.count)
    }

    @Test func `the documentation has the table as it is made here`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("Simulator/SCRIPTS.md"), encoding: .utf8)
        let table = Fault.byKey.map(row).joined(separator: "\n")
        #expect(page.contains(table), "the page has\n\(table)")
    }

    private func row(_ fault: Fault) -> String {
        let forms = fault.forms.flatMap { form in
            let command = "fault \(form.word)"
            return switch form.argument {
            case .none: [command]
            case .number(let name, _, _): ["\(command) \(name)"]
            case .optionalDuration(let example, _, _): [command, "\(command) \(example)"]
            case .choice(let choices): ["\(command) \(choices[0].word)"] + choices.dropFirst().map(\.word)
            }
        }
        let words = forms.map { "`\($0)`" }.joined(separator: ", ")
        return "| `f` `\(fault.key)` | \(words) | \(fault.effect) |"
    }
}
