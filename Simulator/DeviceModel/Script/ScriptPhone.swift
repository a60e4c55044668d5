/// A phone that belongs to a script.
package protocol ScriptPhone: Sendable {
    /// Changes the list, and waits until watches have the change.
    ///
    /// - Throws: `ScriptPhoneError` in one line.
    func make(_ edit: ScriptPhoneEdit, waitingFor audience: ScriptPhoneAudience) throws(ScriptPhoneError)
        -> ScriptPhoneDelivery
}

/// The watches for which a change waits.
package enum ScriptPhoneAudience: Sendable, Equatable {
    /// Those that are connected.
    case connected
    /// Those that are connected or have been: on a busy machine a link is lost now and then, and comes back.
    case known
}

/// Whether the watches have a change.
package enum ScriptPhoneDelivery: Sendable, Equatable {
    /// Every watch for which it waited has acknowledged it.
    case acknowledged
    /// There is none to wait for, or one has not acknowledged it in time.
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
