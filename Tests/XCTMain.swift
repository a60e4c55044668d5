import Testing

/// The entry point of the test program. If this file exists, the package manager does not search for XCTest, for which
/// it would have to index every source.
///
/// `swift test --filter` does not work with this entry point, because it needs XCTest's list of tests. Use
/// `Tests/unit MODULE --filter` instead.
@main struct TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
