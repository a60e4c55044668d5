// swift-tools-version: 6.2
import PackageDescription

/// A package that uses Tapline from outside: a program with messages of its own, and handlers with stages, code, messages and a
/// sheet of their own. The handlers are counted, taken apart by the lab, tested under a budget, and run on the firmware.
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
