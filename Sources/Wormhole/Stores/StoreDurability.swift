/// The failures that a message survives, once this side has stored it for a peer or has acknowledged it to a peer.
public enum StoreDurability: Sendable {
    /// A message survives any end of the process, because the operating system has the bytes. A power failure may
    /// damage the database.
    case processCrash
    /// A message also survives a power failure, because each commit waits until the disk has the bytes.
    case powerLoss

    /// SQLite's `synchronous` in WAL mode (sqlite.org/pragma.html). Only FULL waits for the disk at each commit.
    var synchronous: String {
        switch self {
        case .processCrash: "OFF"
        case .powerLoss: "FULL"
        }
    }
}
