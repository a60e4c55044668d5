// swift-tools-version: 6.2
import PackageDescription

/// The house rules that no compiler knows. A package of its own, so that Tapline itself does not build swift-syntax.
let package = Package(
    name: "style",
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1")
    ],
    targets: [
        .target(
            name: "StyleRules",
            dependencies: [
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ]),
        .executableTarget(name: "style", dependencies: ["StyleRules"]),
        .testTarget(name: "StyleRulesTests", dependencies: ["StyleRules"]),
    ],
    swiftLanguageModes: [.v6]
)
