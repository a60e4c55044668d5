import GRDB
import WatchLink
import Wormhole

/// The Bluetooth bond of each watch: one identity has one bond, and one bond one identity. It does not apply to local sockets.
enum WatchBond {
    /// The bond that prevents a device from having this identity; nil if it may have it.
    ///
    /// A watch without a bond gets that of the first device that claims its identity.
    static func obstacle(_ db: Database, to device: TransportPeer, being watch: Int64) throws -> String? {
        guard let address = address(of: device) else { return nil }
        let row = try StoredRow.one(
            db, of: "watch", sql: "SELECT bond FROM watch WHERE identity = ?", arguments: [watch])
        guard let row, let bond: String = try row["bond"], bond != address else { return nil }
        return bond
    }

    /// Connects the identity with the bond of the device.
    ///
    /// - Returns: the bond's previous identity, which is forgotten because its watch had a factory reset.
    static func bind(_ db: Database, _ device: TransportPeer, to watch: Int64) throws -> Int64? {
        guard let address = address(of: device) else { return nil }
        let former: Int64? = try StoredRow.one(
            db, of: "watch", sql: "SELECT identity FROM watch WHERE bond = ? AND identity <> ?",
            arguments: [address, watch])?["identity"]
        if let former { try ForgottenWatch.forget(db, PeerIdentity(column: former)) }
        try db.execute(cached: "UPDATE watch SET bond = ? WHERE identity = ?", arguments: [address, watch])
        return former
    }

    private static func address(of device: TransportPeer) -> String? {
        switch device {
        case .bondedDevice(let address): address
        case .process, .unknown: nil
        }
    }
}
