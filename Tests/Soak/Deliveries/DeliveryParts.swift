import Wormhole

/// What a world of deliveries is built of where a test puts something wrong in the place of something right.
struct DeliveryParts {
    /// What stands between the links of an end and its store.
    var store: @Sendable (any MessageStorage) -> any MessageStorage = { $0 }
    /// What passes over the link, towards an end.
    var tamper: (WormholeEnd, [UInt8]) -> [[UInt8]] = { _, datagram in [datagram] }
    /// What a sync of the disks does.
    var syncing = VirtualDisk.Syncing.honest
}
