import Testing

/// What the package manager links to the tests in place of a search for XCTest, for which it would index every source.
///
/// So `swift test --filter` has no list of XCTest to read: `Tests/unit MODULE --filter` runs some of the tests.
@main struct TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
