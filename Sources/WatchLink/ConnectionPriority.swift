/// How fast a link should be. A faster one costs the watch's battery more.
package enum ConnectionPriority: Equatable, Sendable, BitwiseCopyable {
    /// A connection event every 15 ms, the shortest interval that phones grant: while a person waits for an answer.
    case fast
    /// A connection event every 30 to 45 ms; the watch may skip three in a row. For times when nothing happens.
    case slow
}

/// The outcome of a request for another priority.
package enum PriorityRequestOutcome: Equatable, Sendable, BitwiseCopyable {
    /// The controller was asked. Whether the other side agrees is between the two controllers.
    case requested
    /// This process may not ask. The link keeps the parameters that the system chose.
    case notAllowed
}

/// What `ConnectionParameterPolicy` has to report to a person after a request.
package enum PriorityRequestNews: Equatable, Sendable, BitwiseCopyable {
    /// The request went through, or its refusal was reported before.
    case nothing
    /// The first refusal: the link keeps its parameters for as long as the process runs.
    case firstRefusal
}
