import Glibc
import Testing

@testable import HostSystem

@Suite struct PolledDescriptorTests {
    @Test func `A wait says which descriptors are ready`() throws {
        let (reading, writing) = try Descriptors.pipe()
        defer { close(reading) }
        #expect(!PolledDescriptor(reading, .readable).polled().isReady)
        #expect(PolledDescriptor(writing, .writable).polled().isWritable)
        var both = [PolledDescriptor(reading, .readable), PolledDescriptor(writing, .writable)]
        #expect(PolledDescriptor.wait(for: &both, microseconds: nil))
        #expect(!both[0].isReady && both[1].isReady)
        close(writing)
        let end = PolledDescriptor(reading, .end).polled()
        #expect(end.isReady && end.isHungUp)
    }

    @Test func `A limit is rounded up to milliseconds`() {
        #expect(PolledDescriptor.wholeMilliseconds(nil) == nil)
        #expect([0, 1, 1_000, 1_001].map(PolledDescriptor.wholeMilliseconds) == [0, 1_000, 1_000, 2_000])
        #expect(PolledDescriptor.wholeMilliseconds(.max).map { $0 >= 1 << 60 } == true)
    }

    @Test func `A wait ends when its time is over, to the microsecond`() throws {
        let (reading, writing) = try Descriptors.pipe()
        defer { for end in [reading, writing] { close(end) } }
        var waited = [PolledDescriptor(reading, .readable)]
        let length = try ContinuousClock().measure {
            try #require(!PolledDescriptor.wait(for: &waited, microseconds: 2_500))
        }
        #expect(length >= .microseconds(2_500))
        #expect(!waited[0].isReady)
    }
}
