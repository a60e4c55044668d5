import WatchLink

/// What the face shows of another time than the present.
package struct FaceTravel: Sendable, BitwiseCopyable {
    /// The present.
    package let from: LocalTime
    /// The time that the face shows.
    package let to: LocalTime
    /// What the complication says then.
    package let content: ComplicationContent
}
