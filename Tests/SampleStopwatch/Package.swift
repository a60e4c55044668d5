// swift-tools-version: 6.2
import PackageDescription

/// Somebody else's package: a stopwatch on the watch, whose time a program on the phone keeps.
let package = Package(
    name: "SampleStopwatch",
    products: [.library(name: "SampleStopwatch", targets: ["SampleStopwatch"])],
    dependencies: [.package(name: "tapline", path: "../..")],
    targets: [
        .target(
            name: "SampleStopwatch",
            dependencies: [
                .product(name: "Watch", package: "tapline"), .product(name: "WatchLink", package: "tapline"),
            ]),
        .testTarget(
            name: "SampleStopwatchTests",
            dependencies: [
                "SampleStopwatch",
                .product(name: "DeviceModel", package: "tapline"),
                .product(name: "TapLatency", package: "tapline"),
                .product(name: "Watch", package: "tapline"),
                .product(name: "WatchLink", package: "tapline"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
