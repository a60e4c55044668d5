/// Values on an axis that begins at 0 and ends at a round number.
struct LinearAxis: Equatable, Sendable {
    /// From one tick to the next.
    let step: Double
    /// How many steps there are, at least one.
    let steps: Int

    /// An axis that has all of these values on it, in `about` steps or some more of 1, 2 or 5 times a power of ten.
    init(covering values: [Double], about: Int) {
        let most = values.filter(\.isFinite).max() ?? 0
        guard most > 0 else {
            step = 1
            steps = 1
            return
        }
        let wanted = most / Double(max(1, about))
        var power = 1.0
        while power > wanted, power > 1e-9 { power /= 10 }
        while power * 10 <= wanted { power *= 10 }
        let round = [1, 2, 5, 10].map { $0 * power }.last { $0 <= wanted } ?? power
        step = round
        steps = max(1, Int((most / round).rounded(.up)))
    }

    /// The value at the end.
    var highest: Double { step * Double(steps) }

    /// Where a value is: 0 at the beginning, 1 at the end; values beyond an end are at the end.
    func position(_ value: Double) -> Double {
        value.isFinite ? min(1, max(0, value / highest)) : 0
    }

    /// The round numbers on it, from 0.
    var ticks: [Double] { (0...steps).map { Double($0) * step } }
}
