import HostSystem
import Testing

@Suite struct CountTextTests {
    @Test func `One thing is one, and none or several are many`() {
        #expect(
            "\(CountText(0, "message")), \(CountText(1, "message")), \(CountText(2, "message"))"
                == "0 messages, 1 message, 2 messages")
        #expect(
            "\(CountText(1, "entry", "entries")), \(CountText(UInt32(7), "entry", "entries"))" == "1 entry, 7 entries")
        #expect("\(CountText(Int64(-1), "second"))" == "-1 seconds")
    }
}
