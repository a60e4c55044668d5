import Testing

/// The entry point of the test program. Without this file, the package manager would index every source to find tests
/// of XCTest.
///
/// `swift test --filter` does not work with this entry point, because it needs XCTest's list of tests. Use
/// `Tests/unit MODULE --filter` instead.
@main struct TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
