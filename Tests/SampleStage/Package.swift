// swift-tools-version: 6.2
import PackageDescription

/// Somebody else's package: a stage of its own in the lab.
let package = Package(
    name: "SampleStage",
    dependencies: [.package(name: "tapline", path: "../..")],
    targets: [
        .testTarget(
            name: "SampleStageTests",
            dependencies: [
                .product(name: "TapLatencyTesting", package: "tapline"),
                .product(name: "TapLatency", package: "tapline"),
                .product(name: "DeviceModel", package: "tapline"),
                .product(name: "Watch", package: "tapline"),
                .product(name: "WatchLink", package: "tapline"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
