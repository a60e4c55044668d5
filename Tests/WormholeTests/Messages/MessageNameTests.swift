import Testing
import WormholeTesting

@testable import Wormhole

struct MessageNameTests {
    @Test(arguments: ["a", "title", String(repeating: "é", count: 16)])
    func `A name has 1 to 32 bytes of UTF-8`(_ text: String) throws {
        #expect(try MessageName(text).text == text)
    }

    @Test(arguments: ["", String(repeating: "a", count: 33), String(repeating: "é", count: 17)])
    func `Anything else is refused`(_ text: String) {
        #expect(throws: WormholeError.invalidName(text)) { try MessageName(text) }
    }

    @Test func `Two spellings of a letter are two names`() {
        #expect(MessageName("é") != MessageName("e\u{301}"))
        #expect(Set<MessageName>(["é", "e\u{301}"]).count == 2)
    }

    @Test func `A name begins with its own beginnings, and with nothing else`() {
        #expect(MessageName("list/1").hasPrefix("list/"))
        #expect(MessageName("list").hasPrefix(""))
        #expect(!MessageName("list").hasPrefix("list/"))
    }
}

struct DeliveryTests {
    @Test func `Each delivery has its place on the wire`() {
        #expect(Delivery.allCases.map(\.encoding.rawValue) == [0x10, 0x11, 0x12, 0x14, 0x15])
    }

    @Test(arguments: Delivery.allCases)
    func `A message goes by any delivery but that of files, with or without a peer`(_ delivery: Delivery) async throws {
        let link = InMemoryLink()
        let watch = Wormhole(
            .connects(link.connector), store: MessageStore.inMemory(),
            configuration: WormholeConfiguration(role: .watch))
        let error: WormholeError? =
            switch delivery {
            case .latest, .queued, .complication: nil
            // There is no link, and it is kept for none.
            case .interactive: .unreachable("it has not connected yet")
            case .file: .fileIsNoMessage
            }
        do throws(WormholeError) {
            #expect(try await watch.pass(1, under: "name", delivery: delivery)?.fate == .queued)
            #expect(error == nil)
        } catch let thrown {
            #expect(thrown == error)
        }
    }
}
