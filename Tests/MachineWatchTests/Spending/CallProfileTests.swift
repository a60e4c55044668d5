import Testing

@testable import MachineWatch

struct CallProfileTests {
    /// `walk` calls `see`, which calls `walk` again.
    private static let profile = CallProfile(
        names: ["walk", "see"],
        calls: [
            CallProfile.Call(function: 0, caller: nil, cycles: 10, instructions: 8),
            CallProfile.Call(function: 1, caller: 0, cycles: 5, instructions: 4),
            CallProfile.Call(function: 0, caller: 1, cycles: 2, instructions: 1),
        ])

    @Test func `a function that calls itself is in its total once`() {
        #expect(
            Self.profile.functions == [
                CallProfile.Function(name: "walk", ownCycles: 12, totalCycles: 17),
                CallProfile.Function(name: "see", ownCycles: 5, totalCycles: 7),
            ])
        #expect(Self.profile.totals == [17, 7, 2])
        #expect(Self.profile.way(to: 2) == [0, 1, 2])
    }
}
