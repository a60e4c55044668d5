import ArgumentParser

/// Which of the nineteen steps to take: `8`, `1-19` or `1-2,8-10`.
struct StepChoice: ExpressibleByArgument, Equatable {
    /// The steps, in ascending order.
    let steps: [Int]

    /// All of them.
    static let all = StepChoice(steps: Array(range))

    /// What `--steps` was given; nil where that is no choice of steps.
    init?(argument: String) {
        var chosen: Set<Int> = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last,
                StepChoice.range.contains(first), StepChoice.range.contains(last)
            else { return nil }
            chosen.formUnion(first...last)
        }
        steps = chosen.sorted()
    }

    private init(steps: [Int]) {
        self.steps = steps
    }

    private static let range = 1...19
}
