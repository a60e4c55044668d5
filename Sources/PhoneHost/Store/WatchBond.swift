import GRDB
import WatchLink
import Wormhole

/// The bond of each watch: one identity has one bond, and one bond has one identity. Over sockets of this machine bonds
/// are neither set nor checked.
enum WatchBond {
    /// The bond of the other identity that stands in the way; nil where a device may have this identity.
    ///
    /// A watch that never came over a bond gets that of the first device that claims it.
    static func obstacle(_ db: Database, to device: TransportPeer, being watch: Int64) throws -> String? {
        guard let address = address(of: device) else { return nil }
        let row = try StoredRow.one(
            db, of: "watch", sql: "SELECT bond FROM watch WHERE identity = ?", arguments: [watch])
        guard let row, let bond: String = try row["bond"], bond != address else { return nil }
        return bond
    }

    /// Binds the identity to the bond of the device.
    ///
    /// - Returns: the identity that had the bond before, which is forgotten: its watch was reset to factory.
    static func bind(_ db: Database, _ device: TransportPeer, to watch: Int64) throws -> Int64? {
        guard let address = address(of: device) else { return nil }
        let former: Int64? = try StoredRow.one(
            db, of: "watch", sql: "SELECT identity FROM watch WHERE bond = ? AND identity <> ?",
            arguments: [address, watch])?["identity"]
        if let former { try ForgottenWatch.forget(db, PeerIdentity(stored: former)) }
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
