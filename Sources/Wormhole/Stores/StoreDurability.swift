/// The failures that a passed or acknowledged message survives.
public enum StoreDurability: Sendable {
    /// Any end of the process, because the operating system has the bytes.
    case processCrash
    /// Also a power failure, because each step waits until the disk has the bytes.
    case powerLoss

    /// SQLite's `synchronous` in WAL mode (sqlite.org/pragma.html). Only FULL waits for the disk at each commit.
    var synchronous: String {
        switch self {
        case .processCrash: "OFF"
        case .powerLoss: "FULL"
        }
    }
}
