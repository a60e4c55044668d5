import Foundation
import Testing

@testable import DeviceModel

@Suite struct FaultTableTests {
    @Test func `every fault has a key and words of its own`() {
        #expect(Set(Fault.allCases.map(\.key)).count == Fault.allCases.count)
        #expect(Set(FaultTable.forms.map(\.word)).count == FaultTable.forms.count)
        for fault in Fault.allCases { #expect(Fault(key: fault.key) == fault) }
        #expect(Fault(key: "9") == nil)
    }

    @Test(arguments: FaultTable.faults) func `a fault goes through its sizes and comes back to none`(fault: Fault) {
        var faults = WatchFaults()
        var sizes: [String] = []
        repeat {
            faults.make(fault.next(after: faults), at: .start)
            sizes.append(fault.meaning(faults))
        } while !faults.isNone && sizes.count < 10
        #expect(faults.isNone)
        #expect(Set(sizes).count == sizes.count)
    }

    @Test func `the documentation has the table as it is made here`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appendingPathComponent("Simulator/SCRIPTS.md"), encoding: .utf8)
        let table = FaultTable.faults.map(row).joined(separator: "\n")
        #expect(page.contains(table), "the page has\n\(table)")
    }

    /// The keys, the script words and the effect.
    private func row(_ fault: Fault) -> String {
        let forms = fault.declaration.forms.flatMap { form in
            let command = "fault \(form.word)"
            return switch form.argument {
            case .none: [command]
            case .number(let name, _, _): ["\(command) \(name)"]
            case .optionalDuration(let example, _, _): [command, "\(command) \(example)"]
            case .choice(let choices): ["\(command) \(choices[0].word)"] + choices.dropFirst().map(\.word)
            }
        }
        let words = forms.map { "`\($0)`" }.joined(separator: ", ")
        return "| `f` `\(fault.key)` | \(words) | \(fault.declaration.effect) |"
    }
}
