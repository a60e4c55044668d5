/// What a watch calls out.
public struct BluetoothAdvertisement: Hashable, Sendable {
    /// The name that others show; of a longer one than fits (29 bytes) only the beginning is heard.
    public var name: String
    /// The service to be found by.
    public var service: BluetoothUUID

    /// The advertisement of a watch of this name.
    public init(name: String, service: BluetoothUUID = .tapline) {
        self.name = name
        self.service = service
    }
}
