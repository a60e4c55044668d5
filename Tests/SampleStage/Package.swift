// swift-tools-version: 6.2
import PackageDescription

/// Somebody else's package: handlers of its own, counted, in the lab, and under a budget.
let package = Package(
    name: "SampleStage",
    products: [.library(name: "SampleHandlers", targets: ["SampleHandlers"])],
    dependencies: [.package(name: "tapline", path: "../..")],
    targets: [
        .target(
            name: "SampleHandlers",
            dependencies: [
                .product(name: "Watch", package: "tapline"), .product(name: "WatchLink", package: "tapline"),
            ]),
        .testTarget(
            name: "SampleStageTests",
            dependencies: [
                "SampleHandlers",
                .product(name: "TapLatency", package: "tapline"),
                .product(name: "DeviceModel", package: "tapline"),
                .product(name: "Watch", package: "tapline"),
                .product(name: "WatchLink", package: "tapline"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
