import DeviceModel
import Testing

@testable import tapline_lab

struct PhoneLabTests {
    @Test func `a row that waits for the calendar takes every request of the sync, and one that does not takes none`()
        async throws
    {
        // A commit takes 4 ms.
        let cost = DeviceProfile.memoryLCD.phone
        let rows = try await PhoneLab.rows(cost)
        // The collection is looked at, then the item is put.
        #expect(rows.map(\.requests) == [2, 0])
        #expect(rows.map(\.time) == [2_004_000, 4_000])
        #expect(try await PhoneLab.rows(cost) == rows)
    }
}
