import Testing

@testable import MachineCode

struct FunctionTableTests {
    private typealias Function = FunctionTable.Function

    private let table = FunctionTable([
        Function(name: "second", start: 0x20, size: 8), Function(name: "first", start: 0x10, size: 0),
        Function(name: "alias", start: 0x20, size: 8),
    ])

    @Test(
        arguments: [
            (0x0F, "code without a name", 0, 0x10), (0x10, "first", 0x10, 0x20), (0x1F, "first", 0x10, 0x20),
            (0x20, "alias", 0x20, 0x28), (0x27, "alias", 0x20, 0x28),
            (0x28, "code without a name", 0x28, UInt32.max),
        ] as [(UInt32, String, UInt32, UInt32)])
    func `An address belongs to the function whose code is there`(
        address: UInt32, name: String, start: UInt32, end: UInt32
    ) {
        let place = table.place(of: address)
        #expect(table.title(place.number) == name)
        #expect(place.code == start..<end)
    }

    @Test func `Swift's names are shown as in the source`() {
        #expect(
            Function(name: "$s4main3addyS2i_SitF", start: 0, size: 0).title
                == "main.add(Int, Int)")
        #expect(Function(name: "main", start: 0, size: 0).title == "main")
        let long = String(repeating: "x", count: 10_000)
        #expect(Function(name: long, start: 0, size: 0).title == long)
    }
}
