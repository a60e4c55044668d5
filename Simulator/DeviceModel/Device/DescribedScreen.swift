import Synchronization

/// What the screen says at one moment, as the CBOR that a program wrote. It is decoded when somebody asks, and once: most
/// moments of a watch that a measurement drives are never looked at.
final class DescribedScreen: Sendable {
    private enum Form {
        /// Nobody has asked yet.
        case encoded([UInt8])
        /// Somebody has.
        case decoded(ScreenDescription)
    }

    private let form: Mutex<Form>

    /// A screen that says this; nothing by default.
    init(_ description: ScreenDescription = ScreenDescription()) {
        form = Mutex(.decoded(description))
    }

    /// What `cbor` says, which `ScreenDescription` can read.
    init(cbor: [UInt8]) {
        form = Mutex(.encoded(cbor))
    }

    /// What the screen says.
    var description: ScreenDescription {
        form.withLock { form in
            switch form {
            case .decoded(let description): return description
            case .encoded(let cbor):
                do {
                    let description = try ScreenDescription(cbor: cbor)
                    form = .decoded(description)
                    return description
                } catch {
                    // A program gives nothing that cannot be read: what does not come from the same build it has tried.
                    preconditionFailure("\(error)")
                }
            }
        }
    }
}
