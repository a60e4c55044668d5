import ArgumentParser
import Wormhole

/// A number that `tapline wormhole outstanding` prints.
enum NumberChoice {
    case message(MessageNumber)
    /// Sixteen hexadecimal digits.
    case file(UInt64)

    /// - Throws: a wrong use, where the text is neither.
    init(_ text: String) throws {
        if let file = FileNumber(argument: text) {
            self = .file(file.value)
        } else if let message = UInt64(text) {
            self = .message(MessageNumber(rawValue: message))
        } else {
            throw ValidationError("'\(text)' is no number of a message or of a file.")
        }
    }
}
