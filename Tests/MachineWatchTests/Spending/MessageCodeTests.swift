import Testing

@testable import MachineWatch

/// What is executed for a handler's messages is told apart by the runtime's calls.
struct MessageCodeTests {
    private func code(_ calls: [(Int, LabCall)]) throws(LabImageError) -> MessageCode {
        var code = MessageCode()
        for (count, call) in calls {
            try code.enter(
                ExecutedCode(instructions: count, cycles: 2 * count, fewestCycles: count, mostCycles: 3 * count),
                upTo: call)
        }
        return code
    }

    @Test func `what runs between beginning and end is a message's, with what it asks the board for`() throws {
        let code = try code([
            (1, .messageWork("a: value", .begins)), (2, .board(.now)), (4, .messageWork("a: value", .returns)),
            (8, .messageWork("button 0", .begins)), (16, .messageWork("button 0", .returns)), (32, .worked),
            (64, .messageWork("a: value", .begins)), (128, .messageWork("a: value", .returns)),
        ])
        #expect(code.runs.mapValues { $0.map(\.instructions) } == ["a: value": [6, 128], "button 0": [16]])
        #expect(code.running == nil)
    }

    @Test func `what has begun and not ended is named`() throws {
        #expect(try code([(1, .messageWork("a: value", .begins)), (2, .board(.now))]).running == "a: value")
    }

    @Test(
        arguments: [
            [.messageWork("a", .returns)], [.messageWork("a", .begins), .messageWork("b", .returns)],
            [.messageWork("a", .begins), .messageWork("a", .begins)], [.messageWork("a", .begins), .worked],
        ] as [[LabCall]])
    func `what ends without having begun, or the other way round, is refused`(calls: [LabCall]) {
        #expect(throws: LabImageError.unbalanced) { try code(calls.map { (1, $0) }) }
    }
}
