import Testing

@testable import soak

/// A small wrong version of the system, and a plan that finds it.
struct PlantedBug<S: Scenario>: CustomTestStringConvertible, Sendable {
    let name: String
    let promise: Promise
    let plan: Plan<S>
    let parts: @Sendable () -> Parts

    var testDescription: String { name }

    init(
        _ name: String, breaking promise: Promise, in plan: Plan<S>, _ change: @escaping @Sendable (inout Parts) -> Void
    ) {
        self.name = name
        self.promise = promise
        self.plan = plan
        parts = {
            var parts = Parts()
            change(&parts)
            return parts
        }
    }

    /// - Parameters:
    ///   - seed: one whose plan finds it.
    ///   - faults: the only faults of that plan; nil for those that the seed draws.
    init(
        _ name: String, breaking promise: Promise, seed: UInt64, under faults: [Fault]? = nil,
        _ change: @escaping @Sendable (inout Parts) -> Void
    ) {
        self.init(name, breaking: promise, in: Plan(seed: seed, faults: faults), change)
    }

    /// The promise that it breaks in a plan; nil for none. What is wrong without it too proves nothing.
    func broken(in plan: Plan<S>) -> Promise? {
        let violation = plan.run(parts: parts()).violation
        return plan.run().violation == nil ? violation?.promise : nil
    }
}
