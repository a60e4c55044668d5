import Testing

@testable import StyleRules

@Suite struct NoWallClockWaitTests {
    @Test(arguments: ["_ = semaphore.wait(timeout: .now() + 1)", "group.wait(wallTimeout: .now() + .seconds(1))"])
    func aWaitForATimeOfTheWallClockIsReported(_ text: String) {
        #expect(reports(NoWallClockWait(), "\n" + text) == ["2: no-wall-clock-wait"])
    }

    @Test(arguments: ["semaphore.wait()", "thread.wait(microseconds: 7)", "wait(timeout: 7)", "let timeout = wait"])
    func otherWaitsAreFine(_ text: String) {
        #expect(reports(NoWallClockWait(), text) == [])
    }
}
