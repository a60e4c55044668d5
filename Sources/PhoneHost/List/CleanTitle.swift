import HostSystem

/// A title that the store accepts: valid UTF-8, on one line, without control characters, and not empty.
///
/// Every title passes through here, so that none in the store can move the cursor of a terminal or break a line of an
/// export.
public struct CleanTitle: Equatable, Sendable {
    /// The title.
    public let text: String

    /// A title made of `raw`: line breaks and tabs become spaces, other control characters and those that override the
    /// direction of the surrounding text are removed, runs of white space become one space, and the ends are trimmed.
    ///
    /// - Throws: `.emptyTitle` where nothing is left.
    public init(_ raw: String) throws(PhoneError) {
        var scalars = String.UnicodeScalarView()
        var gap = Gap.none
        for scalar in raw.unicodeScalars {
            switch CleanTitle.treatment(of: scalar) {
            case .drop:
                continue
            case .space:
                gap = scalars.isEmpty ? .none : .pending
            case .keep:
                switch gap {
                case .pending: scalars.append(" ")
                case .none: break
                }
                gap = .none
                scalars.append(scalar)
            }
        }
        guard !scalars.isEmpty else { throw .emptyTitle }
        text = String(scalars)
    }

    /// A title from bytes of any content; invalid UTF-8 becomes U+FFFD.
    ///
    /// - Throws: `.emptyTitle` where nothing is left.
    package init(utf8 bytes: some Collection<UInt8>) throws(PhoneError) {
        try self.init(String(decoding: bytes, as: UTF8.self))
    }

    private enum Treatment {
        case keep, space, drop
    }

    private enum Gap {
        case none, pending
    }

    private static func treatment(of scalar: Unicode.Scalar) -> Treatment {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: .space
        default:
            !SanitizedLine.isPlain(scalar)
                ? .drop : scalar.properties.isWhitespace && scalar.value != 0xA0 ? .space : .keep
        }
    }
}
