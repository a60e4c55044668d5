import Testing

@testable import BluetoothBridge

@Suite("The pace of connecting again")
struct ReconnectPaceTests {
    @Test("waits grow to a limit, and begin anew after a success")
    func growth() {
        var pace = ReconnectPace()
        let waits = (0..<7).map { _ in pace.failed() }
        #expect(waits.first == ReconnectPace.shortest && waits.last == ReconnectPace.longest)
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        pace.succeeded()
        #expect(pace.failed() == ReconnectPace.shortest)
    }
}
