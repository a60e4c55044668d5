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
        #expect(page.contains(FaultTable.markdown), "the page has\n\(FaultTable.markdown)")
    }
}
