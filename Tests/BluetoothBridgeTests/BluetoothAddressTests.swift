import BluetoothBridge
import Testing

struct BluetoothAddressTests {
    @Test func `an address is read and written as it is printed on a dongle`() throws {
        let address = try #require(BluetoothAddress("00:1b:DC:07:32:eF"))
        #expect(address.bytes == [0x00, 0x1B, 0xDC, 0x07, 0x32, 0xEF])
        #expect(address.description == "00:1B:DC:07:32:EF")
    }

    @Test func `a device is written with the kind of its address, so that two devices never look the same`() throws {
        let address = try #require(BluetoothAddress("C0:1B:DC:07:32:EF"))
        #expect(BluetoothPeer(address, .public).description == "C0:1B:DC:07:32:EF")
        #expect(BluetoothPeer(address, .random).description == "C0:1B:DC:07:32:EF/random")
    }

    @Test(arguments: [
        "", "00:1B:DC:07:32", "00:1B:DC:07:32:EF:00", "00:1B:DC:07:32:G0", "0:1B:DC:07:32:EF", "001BDC0732EF",
        "+1:1B:DC:07:32:EF",
        "00:1B:DC:07:32:", "：：：：：", "00-1B-DC-07-32-EF",
    ])
    func `anything else is no address`(_ text: String) {
        #expect(BluetoothAddress(text) == nil)
    }
}
