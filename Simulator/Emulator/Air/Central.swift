package enum CentralCommand: Sendable { case scan }
package enum CentralEvent: Sendable { case connected }
/// The built-in central.
package struct Central: Sendable {
    var due: UInt64 { .max }
    mutating func perform(_ command: CentralCommand, at cycle: UInt64) throws(AirError) {}
    mutating func takeEvents() -> [CentralEvent] { [] }
    mutating func takePacket() -> AirPacket? { nil }
    mutating func advance(at cycle: UInt64, drift: Int64) {}
    mutating func hears(_ packet: AirPacket) {}
    mutating func receives(_ packet: AirPacket, isWhole: Bool) {}
}
