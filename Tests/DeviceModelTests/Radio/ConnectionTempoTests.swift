import Testing
import WatchLink

@testable import DeviceModel

struct ConnectionTempoTests {
    private static let opening = Instant.start + .seconds(100)

    /// The built-in profile's connection, which has just become slow.
    private static func slowed() throws -> ConnectionTempo {
        var tempo = ConnectionTempo(DeviceProfile.memoryLCD.radio, anchor: opening)
        #expect(tempo.interval == .milliseconds(15))
        _ = tempo.change()
        let isInForce = tempo.change()
        #expect(isInForce)
        #expect(tempo.interval == .milliseconds(45))
        return tempo
    }

    @Test func `The slow interval is requested after the quiet time, and comes into force at an event`() throws {
        var tempo = ConnectionTempo(DeviceProfile.memoryLCD.radio, anchor: Self.opening)
        let request = Self.opening + ConnectionParameterPolicy.quietTime
        #expect(tempo.nextChange == request)
        _ = tempo.change()
        let inForce = try #require(tempo.nextChange)
        #expect(inForce >= request + .milliseconds(6 * 15))
        #expect(inForce <= request + .milliseconds(8 * 15))
        let isInForce = tempo.change()
        #expect(isInForce)
        #expect(tempo.anchor == inForce)
        #expect(tempo.nextChange == nil)
    }

    @Test func `What the wearer does when the slow interval is requested makes the connection fast again`() throws {
        var tempo = ConnectionTempo(DeviceProfile.memoryLCD.radio, anchor: Self.opening)
        let request = try #require(tempo.nextChange)
        _ = tempo.change()
        tempo.wearerActed(at: request)
        let isInForce = tempo.change()
        #expect(isInForce)
        #expect(tempo.nextChange == request + ConnectionParameterPolicy.settlingTime)
    }

    @Test func `The wearer makes a slow connection fast, a keep-alive does not`() throws {
        var tempo = try Self.slowed()
        let later = tempo.anchor + .seconds(60)
        tempo.carried(.ping, at: later)
        #expect(tempo.nextChange == nil)
        tempo.wearerActed(at: later)
        #expect(tempo.nextChange == later)
        _ = tempo.change()
        _ = tempo.change()
        #expect(tempo.interval == .milliseconds(15))
    }

    @Test func `A connection without a rest never changes`() {
        var cost = DeviceProfile.memoryLCD.radio
        cost.rest = nil
        #expect(ConnectionTempo(cost, anchor: Self.opening).nextChange == nil)
    }
}
