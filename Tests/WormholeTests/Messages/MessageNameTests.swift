import Testing
import WormholeTesting

@testable import Wormhole

struct MessageNameTests {
    @Test("A name has 1 to 32 bytes of UTF-8", arguments: ["a", "title", String(repeating: "é", count: 16)])
    func valid(_ text: String) throws {
        #expect(try MessageName(text).text == text)
    }

    @Test(
        "Anything else is refused",
        arguments: ["", String(repeating: "a", count: 33), String(repeating: "é", count: 17)])
    func invalid(_ text: String) {
        #expect(throws: WormholeError.invalidName(text)) { try MessageName(text) }
    }

    @Test("Two spellings of a letter are two names")
    func spellings() {
        #expect(MessageName("é") != MessageName("e\u{301}"))
        #expect(Set<MessageName>(["é", "e\u{301}"]).count == 2)
    }

    @Test("A name begins with its own beginnings, and with nothing else")
    func prefix() {
        #expect(MessageName("list/1").hasPrefix("list/"))
        #expect(MessageName("list").hasPrefix(""))
        #expect(!MessageName("list").hasPrefix("list/"))
    }
}

struct DeliveryTests {
    @Test("Each delivery has its place on the wire, and a message goes by any but file")
    func spoken() {
        #expect(Delivery.allCases.filter(\.isSupported) == [.latest, .queued, .interactive, .complication])
        #expect(Delivery.allCases.map(\.encoding.rawValue) == [0x10, 0x11, 0x12, 0x14, 0x15])
        #expect(Delivery.latest.persistence == .newestOfName)
        #expect(Delivery.queued.guarantee == .exactlyOnceInOrder)
        #expect(Delivery.interactive.persistence == .nothing)
    }

    @Test("Passing by a delivery that is not supported yet is an error that says so", arguments: Delivery.allCases)
    func notSupportedYet(_ delivery: Delivery) async throws {
        let link = InMemoryLink()
        let watch = Wormhole(
            .connects(link.connector), store: MessageStore.inMemory(),
            configuration: WormholeConfiguration(role: .watch))
        guard delivery.isSupported else {
            await #expect(throws: WormholeError.notSupportedYet(delivery)) {
                try await watch.pass(1, under: "name", delivery: delivery)
            }
            return
        }
        guard delivery != .interactive else {
            // There is no link, and it is kept for none.
            await #expect(throws: WormholeError.unreachable("it has not connected yet")) {
                try await watch.pass(1, under: "name", delivery: delivery)
            }
            return
        }
        #expect(try await watch.pass(1, under: "name", delivery: delivery)?.fate == .queued)
    }
}
