import GRDB
import WatchLink
import Wormhole

/// Connects each watch's identity with one Bluetooth bond, and each bond with one identity. Local sockets have no bonds.
enum WatchBond {
    /// The address of another bond that owns this identity; nil if the device may use the identity.
    ///
    /// An identity without a bond goes to the first device that claims it.
    static func obstacle(_ db: Database, to device: TransportPeer, being watch: Int64) throws -> String? {
        guard let address = address(of: device) else { return nil }
        let row = try StoredRow.one(
            db, of: "watch", sql: "SELECT bond FROM watch WHERE identity = ?", arguments: [watch])
        guard let row, let bond: String = try row["bond"], bond != address else { return nil }
        return bond
    }

    /// Connects an identity with the bond of the device.
    ///
    /// - Returns: the identity that this bond had before. The database forgets that identity, because a watch has a new one only
    ///   after a factory reset.
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
