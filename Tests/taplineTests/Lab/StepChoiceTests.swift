import Testing

@testable import tapline

struct StepChoiceTests {
    @Test func `steps are numbers and ranges, in any order and once each`() {
        #expect(StepChoice(argument: "8")?.steps == [8])
        #expect(StepChoice(argument: "1-19") == .all)
        #expect(StepChoice(argument: "8-10,1,9-11")?.steps == [1, 8, 9, 10, 11])
    }

    @Test(arguments: ["", "0", "20", "5-3", "1-", "-3", "a", "1,,2", "1-2-3", "1 - 2", "99999999999999999999"])
    func `anything else is no choice`(argument: String) {
        #expect(StepChoice(argument: argument) == nil)
    }
}
