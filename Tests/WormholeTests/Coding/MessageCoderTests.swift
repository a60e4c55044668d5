import TestSupport
import Testing
import WatchLink

@testable import Wormhole

private struct Item: Codable, Equatable, Sendable {
    enum CodingKeys: Int, CodingKey {
        case id = 0
        case title = 1
        case rank = 2
        case note = 3
    }

    var id: UInt32
    var title: String
    var rank: Int
    var note: String?
}

private struct Basket: Codable, Equatable, Sendable {
    var name: String
    var items: [Item]
    var prices: [String: Double]
    var shelves: [Int: [Int]]
    var picture: [UInt8]
    var isPaid: Bool
    var owner: String?
}

private final class Chain: Codable, Sendable {
    let next: Chain?
    init(_ next: Chain?) { self.next = next }
}

private class Animal: Codable {
    var legs: Int
    init(legs: Int) { self.legs = legs }
}

private final class Dog: Animal {
    enum CodingKeys: String, CodingKey { case name }
    var name: String

    init(name: String) {
        self.name = name
        super.init(legs: 4)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try super.encode(to: container.superEncoder())
    }
}

private struct Refusing: Codable {
    struct Whim: Error {}
    func encode(to encoder: any Encoder) throws { throw Whim() }
}

struct MessageCoderTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func roundTrip<Value: Passable & Equatable>(_ value: Value) throws -> Bool {
        try MessageDecoder().decode(Value.self, from: MessageEncoder().encode(value)) == value
    }

    @Test func `Coding keys with an integer become integer keys, in order, and nil leaves its key out`() throws {
        let bytes = try MessageEncoder().encode(Item(id: 7, title: "milk", rank: -1, note: nil))
        #expect(hex(bytes) == "a3" + "0007" + "01646d696c6b" + "0220")
    }

    @Test func `Text keys go shorter first, then by their bytes, whatever order the type has`() throws {
        let bytes = try MessageEncoder().encode(["bb": 1, "a": 2, "ab": 3, "c": 4])
        #expect(hex(bytes) == "a4" + "616102" + "616304" + "62616203" + "62626201")
    }

    @Test func `Integer keys come before text ones, and negative ones between`() {
        let keys: [CBORKey] = [.text("a"), .integer(-1), .integer(100), .integer(-300), .integer(0), .text("")]
        let ordered = keys.sorted { $0.precedes($1) }
        #expect(ordered == [.integer(0), .integer(100), .integer(-1), .integer(-300), .text(""), .text("a")])
    }

    @Test func `The same value has the same bytes, however a dictionary is laid out in memory`() throws {
        let forth = Dictionary(uniqueKeysWithValues: (0..<200).map { ("key\($0)", $0) })
        let back = Dictionary(uniqueKeysWithValues: (0..<200).reversed().map { ("key\($0)", $0) })
        #expect(try MessageEncoder().encode(forth) == MessageEncoder().encode(back))
    }

    @Test func `A value comes back as it was`() throws {
        let basket = Basket(
            name: "Wocheneinkauf ☂", items: [Item(id: .max, title: "", rank: .min, note: "x")],
            prices: ["5": 0.1, "05": -1.5, "": .infinity], shelves: [3: [1, 2], -4: []], picture: [0, 255],
            isPaid: true, owner: nil)
        #expect(try roundTrip(basket))
        #expect(try roundTrip([basket, basket]))
    }

    @Test func `Numbers at the ends of their ranges come back`() throws {
        #expect(try roundTrip(UInt64.max))
        #expect(try roundTrip([Int64.min, -1, 0, .max]))
        #expect(try roundTrip([Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0]))
        #expect(try roundTrip(Float.pi))
        #expect(try roundTrip([Optional<Int>.none, 3]))
        #expect(try roundTrip([Int]()))
        #expect(try roundTrip([[UInt8]]()))
        #expect(try roundTrip("\u{0}\u{10FFFF}"))
    }

    @Test func `Bytes are a byte string`() throws {
        #expect(hex(try MessageEncoder().encode([1, 2, 3] as [UInt8])) == "43010203")
        #expect(try MessageDecoder().decode([UInt8].self, from: [0x82, 1, 2]) == [1, 2])
    }

    @Test func `A class comes back with what its superclass has`() throws {
        let dog = try MessageDecoder().decode(Dog.self, from: MessageEncoder().encode(Dog(name: "Rex")))
        #expect(dog.name == "Rex" && dog.legs == 4)
    }

    @Test func `Keys that the type does not know, tags and indefinite lengths do not trouble it`() throws {
        let bytes: [UInt8] = [0xBF, 0x18, 99, 0x81, 0x01, 0x00, 0x07, 0x01, 0x7F, 0x61, 0x61, 0x61, 0x62, 0xFF, 0x02]
        let item = try MessageDecoder().decode(Item.self, from: bytes + [0xC1, 0x05, 0x40, 0x80, 0xFF])
        #expect(item == Item(id: 7, title: "ab", rank: 5, note: nil))
    }

    @Test func `Sixteen levels are followed, and no more, encoding and decoding`() throws {
        func chain(_ length: Int) -> Chain { (1..<length).reduce(Chain(nil)) { next, _ in Chain(next) } }
        let deepest = try MessageEncoder().encode(chain(16))
        _ = try MessageDecoder().decode(Chain.self, from: deepest)
        for length in [17, 40, 10_000] {
            #expect(throws: WormholeError.coding(.tooDeep(limit: 16))) { try MessageEncoder().encode(chain(length)) }
        }
        let arrays = [UInt8](repeating: 0x81, count: 17) + [0]
        #expect(throws: WormholeError.coding(.tooDeep(limit: 16))) {
            try MessageDecoder().decode([Int].self, from: arrays)
        }
    }

    @Test func `A value above the size limit is an error, one at it is not`() throws {
        let encoder = MessageEncoder(largestSize: 1_000)
        #expect(try encoder.encode([UInt8](repeating: 0, count: 997)).count == 1_000)
        #expect(throws: WormholeError.coding(.tooLarge(limit: 1_000))) {
            try encoder.encode([UInt8](repeating: 0, count: 998))
        }
    }

    @Test func `What does not fit the type is told with its place`() throws {
        let bytes = try MessageEncoder().encode(["a": ["x"]])
        #expect(
            throws: WormholeError.coding(
                .typeMismatch(path: "a.[0]", "an integer of 64 bits was asked for, text is there"))
        ) { try MessageDecoder().decode([String: [Int]].self, from: bytes) }
        #expect(throws: WormholeError.coding(.missing(path: "[1]"))) {
            try MessageDecoder().decode(Item.self, from: [0xA1, 0x00, 0x01])
        }
        #expect(
            throws: WormholeError.coding(
                .typeMismatch(path: "the top", "an integer of 8 bits was asked for, an integer is there"))
        ) {
            try MessageDecoder().decode(UInt8.self, from: [0x19, 0x01, 0x00])
        }
        #expect(throws: WormholeError.self) { try MessageEncoder().encode(Refusing()) }
    }

    @Test(arguments: [[], [0x18], [0x01, 0x01], [0xFF], [0x61, 0xFF], [0xA2, 1, 1, 1, 1]] as [[UInt8]])
    func `Bytes that are not one data item are an error`(_ bytes: [UInt8]) {
        #expect(throws: WormholeError.self) { try MessageDecoder().decode(Int.self, from: bytes) }
    }
}
