// swift-tools-version: 6.2
import PackageDescription

/// A package that depends on Tapline as an outside package does. It has a program with its own messages, and handlers
/// with their own stages, code, messages and sheet. The tests use these handlers to check counting, the lab, budgets
/// and the firmware.
let package = Package(
    name: "Examples",
    products: [.library(name: "SampleHandlers", targets: ["SampleHandlers"])],
    dependencies: [.package(name: "tapline", path: "../..")],
    targets: [
        .target(
            name: "SampleHandlers",
            dependencies: [
                .product(name: "Watch", package: "tapline"), .product(name: "WatchLink", package: "tapline"),
            ]),
        .executableTarget(
            name: "OwnMessages",
            dependencies: [
                .product(name: "WatchLink", package: "tapline"), .product(name: "Wormhole", package: "tapline"),
            ]),
        .testTarget(
            name: "SampleHandlersTests",
            dependencies: [
                "SampleHandlers",
                .product(name: "TapLatency", package: "tapline"),
                .product(name: "DeviceModel", package: "tapline"),
                .product(name: "HostRadio", package: "tapline"),
                .product(name: "PhoneHost", package: "tapline"),
                .product(name: "Watch", package: "tapline"),
                .product(name: "WatchLink", package: "tapline"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
