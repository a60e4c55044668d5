import Glibc
import SystemPackage
import Testing
import Wormhole

@testable import BluetoothBridge

struct ChannelErrorTests {
    // Six bytes.
    private let address = BluetoothAddress("00:1B:DC:07:32:EF")!

    @Test func `The kernel's errors are reported by their meaning on a radio link`() {
        let expected: [CInt: BluetoothError] = [
            ECONNREFUSED: .notListening(address, psm: 0x85),
            EACCES: .bondLost(address),
            EBADE: .bondLost(address),
            EHOSTDOWN: .outOfReach(address),
            ETIMEDOUT: .outOfReach(address),
            ENOSYS: .outOfReach(address),
            ECONNRESET: .cutOff(address),
            ECONNABORTED: .cutOff(address),
            ENOMEM: .system(call: "connect", .noMemory),
        ]
        for (reason, meaning) in expected {
            #expect(BluetoothError(connectingTo: address, psm: 0x85, Errno(rawValue: reason)) == meaning)
        }
    }

    @Test func `An endpoint gets the reason in one line, and an end as an end`() {
        #expect(WormholeError(.ended) == .closed)
        #expect(
            WormholeError(.outOfReach(address))
                == .transport("00:1B:DC:07:32:EF does not answer: is it nearby and switched on?"))
        #expect("\(WormholeError(.outOfReach(address)))" == "\(BluetoothError.outOfReach(address))")
        #expect(BluetoothError(.closed) == .ended)
        #expect(
            BluetoothError(.system(call: "accept", path: nil, .tooManyOpenFiles))
                == .system(call: "accept", .tooManyOpenFiles))
    }

    @Test func `A refusal of one peer differs from what stands in every peer's way`() {
        #expect(BluetoothError.insecure(address, level: 2).isRefusal)
        #expect(BluetoothError.tooNarrow(address, bytes: 23).isRefusal)
        #expect(!BluetoothError.system(call: "accept", .tooManyOpenFiles).isRefusal)
        #expect(!BluetoothError.ended.isRefusal)
    }
}
