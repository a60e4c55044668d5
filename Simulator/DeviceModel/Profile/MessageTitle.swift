import Watch

/// What tables and reports call what a watch does for its handler's messages.
package enum MessageTitle {
    /// What every watch does whose handler takes files: a part of a file into its hash.
    package static let fileCheck = "file check"

    /// - Parameters:
    ///   - name: the name that a message is under.
    ///   - button: the button, from 0.
    package static func text(_ kind: MessageWork.Kind, _ name: String, button: UInt8) -> String {
        switch kind {
        case .value: "\(name): value"
        case .cleared: "\(name): cleared"
        case .queued: "\(name): queued"
        case .passed: "\(name): passed"
        case .asked: "\(name): asked"
        case .answered: "\(name): answered"
        case .refused: "\(name): refused"
        case .late: "\(name): late"
        case .outOfReach: "\(name): out of reach"
        case .file: "file"
        case .button: "button \(button)"
        case .fileCheck: fileCheck
        }
    }
}

extension MessageWork {
    var title: String { MessageTitle.text(kind, name.description, button: button) }
}
