import Testing

@testable import Soak

/// The parts of a world in which a bug can be planted. Those of a new value have none.
protocol PlantableParts: SendableMetatype {
    init()
}

/// A small wrong version of some parts of a world.
struct PlantedPart<Parts: PlantableParts>: CustomTestStringConvertible, Sendable {
    let name: String
    /// The promise that it breaks.
    let promise: Promise
    /// A seed that finds it, for a quick test.
    let seed: UInt64
    let parts: @Sendable () -> Parts

    var testDescription: String { name }

    init(
        _ name: String, breaking promise: Promise, seed: UInt64, _ change: @escaping @Sendable (inout Parts) -> Void
    ) {
        self.name = name
        self.promise = promise
        self.seed = seed
        parts = {
            var parts = Parts()
            change(&parts)
            return parts
        }
    }
}
