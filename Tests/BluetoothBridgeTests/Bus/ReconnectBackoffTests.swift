import Testing

@testable import BluetoothBridge

@Suite("The pace of connecting again")
struct ReconnectBackoffTests {
    @Test("waits grow to a limit, and begin anew after a success")
    func growth() {
        var pace = ReconnectBackoff()
        let waits = (0..<7).map { _ in pace.failed() }
        #expect(waits.first == ReconnectBackoff.shortest && waits.last == ReconnectBackoff.longest)
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        pace.succeeded()
        #expect(pace.failed() == ReconnectBackoff.shortest)
    }
}
