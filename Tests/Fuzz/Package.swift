// swift-tools-version: 6.2
import PackageDescription

/// What takes bytes from strangers, under libFuzzer: `Tests/fuzz` builds and runs it.
let package = Package(
    name: "Fuzz",
    dependencies: [.package(name: "tapline", path: "../..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "BluetoothBridge", package: "tapline"),
                .product(name: "DeviceModel", package: "tapline"),
                .product(name: "PhoneHost", package: "tapline"),
                .product(name: "Watch", package: "tapline"),
                .product(name: "WatchLink", package: "tapline"),
                .product(name: "Wormhole", package: "tapline"),
            ],
            swiftSettings: [.enableExperimentalFeature("Lifetimes")])
    ],
    swiftLanguageModes: [.v6]
)
