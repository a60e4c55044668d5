/// What a watch offers over GATT: the way to its channel, what it is, and its battery.
public struct WatchServices: Sendable {
    /// The PSM of its L2CAP channel.
    ///
    /// Everybody may read it, as it is with other devices that have this characteristic: the number is no secret, and
    /// the channel itself lets nobody in without authenticated keys. A characteristic that wants encryption would make
    /// the reader's system ask for it with keys that the watch may have lost, where Linux 6.1 goes down.
    public var channelNumber: UInt16
    /// What it is.
    public var information: WatchInformation
    /// What is left in its battery.
    public var battery: BatteryLevel

    /// What a watch offers.
    public init(channelNumber: UInt16, information: WatchInformation, battery: BatteryLevel) {
        self.channelNumber = channelNumber
        self.information = information
        self.battery = battery
    }
}

/// What a watch is.
public struct WatchInformation: Hashable, Sendable {
    /// Who made it.
    public var manufacturer: String
    /// The model.
    public var model: String
    /// The version of its firmware.
    public var firmware: String

    /// What a watch is.
    public init(manufacturer: String, model: String, firmware: String) {
        self.manufacturer = manufacturer
        self.model = model
        self.firmware = firmware
    }
}

/// The charge of a battery, 0 to 100 percent, for those who want to follow it.
public final class BatteryLevel: Sendable {
    private let level: Published<UInt8>

    /// A battery with that much left, at most 100.
    public init(_ percent: UInt8) { level = Published(min(percent, 100)) }

    /// What is left, in percent.
    public var percent: UInt8 { level.value }

    /// Changes the level and notifies the listeners, unless it is the same as before.
    public func set(_ percent: UInt8) { level.set(min(percent, 100)) }

    /// The level now and whenever it changes; a slow reader gets only the newest.
    public func levels() -> AsyncStream<UInt8> { level.values() }
}
