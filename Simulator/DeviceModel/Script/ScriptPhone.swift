/// A phone that belongs to a script.
package protocol ScriptPhone: Sendable {
    /// Changes the list. It returns when the watches that are connected have the change, or after a while without that.
    ///
    /// - Throws: `ScriptPhoneError` in one line.
    func make(_ edit: ScriptPhoneEdit) throws(ScriptPhoneError) -> ScriptPhoneDelivery
}

/// Whether the watches have a change.
package enum ScriptPhoneDelivery: Sendable, Equatable {
    /// Those that are connected have acknowledged it.
    case acknowledged
    /// None is connected, or one has not acknowledged it in time.
    case outstanding
}

/// Why a script's phone could not do something.
package struct ScriptPhoneError: Error, Sendable, Equatable {
    /// One line for a person.
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
