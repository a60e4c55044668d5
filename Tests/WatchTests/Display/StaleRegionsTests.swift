import Testing

@testable import Watch

@Suite struct StaleRegionsTests {
    private static let all: [StaleRegions] = [.nothing, .title, .rows, .listScreen, .everything]

    @Test(arguments: all, all) func `a union contains both and no more`(one: StaleRegions, other: StaleRegions) {
        var union = one
        union.insert(other)
        for region in StaleRegionsTests.all {
            let bits = one.rawValue | other.rawValue
            #expect(union.contains(region) == (bits & region.rawValue == region.rawValue))
        }
    }
}
