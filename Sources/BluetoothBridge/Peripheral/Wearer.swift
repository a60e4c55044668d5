/// Whoever wears a watch, as its Bluetooth asks them.
public protocol Wearer: Sendable {
    /// How often they have let phones pair since the start.
    var openings: Int { get }

    /// Has them compare the digits of a pairing with those of the phone. The task is cancelled where the phone has given up.
    ///
    /// - Returns: `.reject` where they cannot be asked, too.
    func compare(_ request: PairingRequest) async -> PairingDecision
}
