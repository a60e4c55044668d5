/// The outcome of a step.
package enum Verdict: String, Sendable, CaseIterable, Codable {
    /// The step that others are compared with.
    case reference
    /// It stays: it costs nothing that the wearer would notice.
    case kept
    /// It makes the wearer wait; the next step shows where the time goes.
    case slow
    /// The trace shows where the time goes.
    case attributed
    /// It takes less than it did, and does not make the wearer wait any more.
    case fixed
    /// It takes less than it did.
    case improved
    /// It was removed: nothing needs it.
    case removed
    /// It runs after the panel is updated.
    case madeAsynchronous = "made asynchronous"
    /// It holds, and was tried.
    case proven
    /// The model says so; no firmware was measured.
    case predicted
    /// The firmware takes what the model says.
    case confirmed
    /// What was measured does not support the step's hypothesis.
    case refuted
}
