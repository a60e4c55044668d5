import Glibc
import Synchronization
import Watch

/// What the screen says at one moment, as a program described it. Programs, engines and snapshots share the only copy.
///
/// CBOR is decoded when somebody first reads the description: nobody reads most moments of a measurement.
public final class DescribedScreen: Sendable {
    private enum Form {
        /// CBOR that nobody has read yet, and that `ScreenDescription` can read.
        case encoded([UInt8])
        /// CBOR that somebody has read.
        case decoded([UInt8], ScreenDescription)
        /// A description that never was CBOR.
        case typed(ScreenDescription)
    }

    private let form: Mutex<Form>

    /// A screen that says this; nothing by default.
    public init(_ description: ScreenDescription = ScreenDescription()) {
        form = Mutex(.typed(description))
    }

    /// A screen that says what another process described in `cbor`.
    ///
    /// - Throws: `.malformedDescription`.
    public init(decoding cbor: [UInt8]) throws(DeviceModelError) {
        form = Mutex(.decoded(cbor, try ScreenDescription(cbor: cbor)))
    }

    /// A screen that says what `WatchRuntime.describe` wrote in this process.
    init(written cbor: [UInt8]) {
        form = Mutex(.encoded(cbor))
    }

    /// What the screen says.
    public var description: ScreenDescription {
        form.withLock { form in
            switch form {
            case .decoded(_, let description), .typed(let description): return description
            case .encoded(let cbor):
                do throws(DeviceModelError) {
                    let description = try ScreenDescription(cbor: cbor)
                    form = .decoded(cbor, description)
                    return description
                } catch {
                    preconditionFailure("the runtime of this build writes what its decoder reads: \(error)")
                }
            }
        }
    }

    /// Whether it says the same as `other`. It is asked for every step of a watch, so it compares bytes where it can.
    func isSame(as other: DescribedScreen) -> Bool {
        if self === other { return true }
        if let left = cbor, let right = other.cbor { return left.isSame(as: right) }
        return description == other.description
    }

    private var cbor: [UInt8]? {
        form.withLock { form in
            switch form {
            case .encoded(let cbor), .decoded(let cbor, _): cbor
            case .typed: nil
            }
        }
    }
}

extension [UInt8] {
    fileprivate func isSame(as other: [UInt8]) -> Bool {
        withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                guard left.count == right.count else { return false }
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return first == second || memcmp(first, second, left.count) == 0
            }
        }
    }
}
