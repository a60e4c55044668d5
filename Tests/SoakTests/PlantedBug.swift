import Testing

@testable import soak

/// A faulty version of the system, the promise that it breaks, and a plan that shows it.
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

    /// - Parameter seed: a seed whose plan finds the bug.
    init(
        _ name: String, breaking promise: Promise, seed: UInt64, under faults: [Fault]? = nil,
        _ change: @escaping @Sendable (inout Parts) -> Void
    ) {
        self.init(name, breaking: promise, in: Plan(seed: seed, faults: faults), change)
    }

    /// Returns the promise that the bug breaks in a plan. Returns nil if it breaks none, or if the plan also fails
    /// without the bug.
    func broken(in plan: Plan<S>) -> Promise? {
        let violation = plan.run(parts: parts()).violation
        return plan.run().violation == nil ? violation?.promise : nil
    }
}
