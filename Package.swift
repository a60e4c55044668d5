// swift-tools-version: 6.2
import PackageDescription

/// Spans that carry their own lifetime are the currency of the targets that the firmware compiles.
let spans: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes"), .enableExperimentalFeature("RawLayout")]

let package = Package(
    name: "tapline",
    products: [
        .executable(name: "tapline", targets: ["tapline"]),
        .executable(name: "tapline-lab", targets: ["tapline-lab"]),
        .executable(name: "LabFirmware", targets: ["LabFirmware"]),
        .executable(name: "PineTimeFirmware", targets: ["PineTimeFirmware"]),
        .executable(name: "ReferenceFirmware", targets: ["ReferenceFirmware"]),
        .library(name: "NRF52", targets: ["NRF52", "NRF52Start"]),
        .library(name: "WatchLink", targets: ["WatchLink"]),
        .library(name: "Watch", targets: ["Watch"]),
        .library(name: "Wormhole", targets: ["Wormhole"]),
        .library(name: "WormholeTesting", targets: ["WormholeTesting"]),
        .library(name: "PhoneHost", targets: ["PhoneHost"]),
        .library(name: "BluetoothBridge", targets: ["BluetoothBridge"]),
        .library(name: "BluetoothBridgeTesting", targets: ["BluetoothBridgeTesting"]),
        .library(name: "DeviceModel", targets: ["DeviceModel"]),
        .library(name: "HostRadio", targets: ["HostRadio"]),
        .library(name: "TapLatency", targets: ["TapLatency"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // What the phone and the watch share, and what runs on the phone's side.
        .target(name: "WatchLink", exclude: ["CAPTURE.md", "PROTOCOL.md"], swiftSettings: spans),
        .target(
            name: "HostSystem", dependencies: ["CLibraries", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: spans),
        // C libraries whose headers are where the compiler looks: a module for each.
        .systemLibrary(
            name: "CLibraries",
            providers: [
                .apt([
                    "libssl-dev", "libcurl4-openssl-dev", "libbluetooth-dev", "libsystemd-dev", "libpng-dev",
                    "libgif-dev",
                    "libtickit-dev", "libunibilium-dev",
                ])
            ]),
        .target(
            name: "Wormhole",
            dependencies: [
                "HostSystem", "WatchLink",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["README.md"], swiftSettings: spans),
        // Lists on calendar servers.
        .target(
            name: "CalDAV", dependencies: ["CLibraries", "HostSystem"], swiftSettings: spans),
        // The keyring for their passwords.
        .systemLibrary(
            name: "CSecret", path: "Sources/CSecret", pkgConfig: "glib-2.0",
            providers: [.apt(["libsecret-1-dev", "libglib2.0-dev"])]),
        .target(
            name: "PhoneHost",
            dependencies: [
                "CSecret", "CalDAV", "HostSystem", "WatchLink", "Wormhole",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["README.md"], swiftSettings: spans),
        .target(
            name: "BluetoothBridge",
            dependencies: [
                "CLibraries", "HostSystem", "WatchLink", "Wormhole",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["README.md"], swiftSettings: spans),
        // Doubles for tests, of other packages too.
        .target(
            name: "WormholeTesting",
            dependencies: ["HostSystem", "WatchLink", "Wormhole", .product(name: "Logging", package: "swift-log")],
            swiftSettings: spans),
        .target(
            name: "BluetoothBridgeTesting", dependencies: ["BluetoothBridge", "HostSystem", "WatchLink", "Wormhole"],
            swiftSettings: spans),
        // The commands, and what both of them need.
        .target(
            name: "CommandSupport",
            dependencies: [
                "DeviceModel", "HostSystem", "PhoneHost", "Watch", "WatchLink", "Wormhole",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: spans),
        .executableTarget(
            name: "tapline",
            dependencies: [
                "BluetoothBridge", "CalDAV", "CommandSupport", "DeviceModel", "HostRadio", "HostSystem", "PhoneHost",
                "TerminalWatch", "Watch", "WatchLink", "Wormhole",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: spans),
        .executableTarget(
            name: "tapline-lab",
            dependencies: [
                "CalDAV", "CommandSupport", "DeviceModel", "Emulator", "HostRadio", "HostSystem", "PhoneHost",
                "TapLatency", "TerminalWatch", "Watch", "WatchLink",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [.embedInCode("Reports/FirmwarePage.html"), .embedInCode("Reports/LabPage.html")],
            swiftSettings: spans),

        // What runs on the wrist.
        .target(
            name: "Watch", dependencies: ["WatchLink"], path: "Hardware/Watch", exclude: ["Graphics/generate-font"],
            swiftSettings: spans),
        .target(
            name: "BoardSupport", dependencies: ["CCortexM", "Watch"], path: "Hardware/Boards/Support",
            swiftSettings: spans + [.enableExperimentalFeature("Volatile")]),
        // Watches with the nRF52832.
        .target(
            name: "NRF52", dependencies: ["BoardSupport", "CCortexM", "Watch", "WatchLink"],
            path: "Hardware/Boards/NRF52", swiftSettings: spans + [.enableExperimentalFeature("Volatile")]),
        // A target of its own, which no other imports: the compiler would put the vectors into every module that does.
        .target(
            name: "NRF52Start", dependencies: ["BoardSupport", "CCortexM", "NRF52"],
            path: "Hardware/Boards/NRF52Start", swiftSettings: spans),
        .executableTarget(
            name: "ReferenceFirmware", dependencies: ["NRF52", "NRF52Start", "Watch"],
            path: "Hardware/Boards/Reference", exclude: ["memory.ld", "toolset.json"], swiftSettings: spans),
        .executableTarget(
            name: "PineTimeFirmware", dependencies: ["NRF52", "NRF52Start", "Watch"],
            path: "Hardware/Boards/PineTime", exclude: ["memory.ld", "toolset.json"], swiftSettings: spans),
        .systemLibrary(name: "CCortexM", path: "Hardware/Boards/CCortexM"),
        // The image that the lab executes: the Reference board with a list of handlers.
        .executableTarget(
            name: "LabFirmware", dependencies: ["NRF52", "NRF52Start", "Watch"], path: "Hardware/Boards/Lab",
            swiftSettings: spans),

        // What stands in for the wrist and for the radio link.
        .target(
            name: "DeviceModel",
            dependencies: [
                "CLibraries", "HostSystem", "PhoneHost", "Watch", "WatchLink", "Wormhole",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Simulator/DeviceModel", swiftSettings: spans),
        // A Cortex-M4 that executes machine code, and the watch on it.
        .target(
            name: "Emulator", dependencies: ["CLibraries", "DeviceModel", "HostSystem", "Watch", "WatchLink"],
            path: "Simulator/Emulator", swiftSettings: spans,
            // The demangler of C++ names.
            linkerSettings: [.linkedLibrary("stdc++")]),
        .target(
            name: "HostRadio",
            dependencies: ["BluetoothBridge", "DeviceModel", "HostSystem", "Watch", "WatchLink", "Wormhole"],
            path: "Simulator/HostRadio", swiftSettings: spans),
        .target(
            name: "TerminalWatch",
            dependencies: [
                "CChafa", "CLibraries", "DeviceModel", "HostSystem", "Watch", "WatchLink",
            ],
            path: "Simulator/TerminalWatch",
            swiftSettings: spans),
        .target(
            name: "TapLatency",
            dependencies: [
                "DeviceModel", "Emulator", "HostSystem", "Watch", "WatchLink",
            ],
            path: "Simulator/TapLatency", exclude: ["README.md", "REPORT.md"], swiftSettings: spans),
        .executableTarget(
            name: "soak",
            dependencies: [
                "CalDAV", "CommandSupport", "DeviceModel", "HostSystem", "PhoneHost", "TestDoubles", "Watch",
                "WatchLink", "Wormhole",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Soak", exclude: ["README.md"], swiftSettings: spans),
        // Inputs from strangers: Tests/fuzz runs the corpus and mutations of it, or builds the program with libFuzzer.
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "BluetoothBridge", "DeviceModel", "PhoneHost", "TestSupport", "Watch", "WatchLink", "Wormhole",
            ],
            path: "Tests/Fuzz", exclude: ["Corpus"], swiftSettings: spans),
        // The package Tests/Examples, built here with the rest: it sees no declaration that is internal to this package. `tapline count`
        // builds it by its own manifest.
        .executableTarget(
            name: "OwnMessages", dependencies: ["WatchLink", "Wormhole"], path: "Tests/Examples/Sources/OwnMessages",
            packageAccess: false),
        .target(
            name: "SampleHandlers", dependencies: ["Watch", "WatchLink"],
            path: "Tests/Examples/Sources/SampleHandlers", packageAccess: false),
        .testTarget(
            name: "SampleHandlersTests",
            dependencies: [
                "DeviceModel", "HostRadio", "PhoneHost", "SampleHandlers", "TapLatency", "Watch", "WatchLink",
            ],
            path: "Tests/Examples/Tests/SampleHandlersTests", packageAccess: false),
        .systemLibrary(
            name: "CChafa", path: "Simulator/CChafa", pkgConfig: "chafa",
            providers: [.apt(["libchafa-dev", "libglib2.0-dev"])]),

        // What tests share: seeds, levels and processes; and doubles of what a watch and a phone depend on.
        .target(
            name: "TestSupport",
            dependencies: ["WatchLink", .product(name: "SystemPackage", package: "swift-system")],
            path: "Tests/TestSupport", swiftSettings: spans),
        .target(
            name: "TestDoubles",
            dependencies: ["CalDAV", "DeviceModel", "HostSystem", "PhoneHost", "Watch", "WatchLink"],
            path: "Tests/TestDoubles", swiftSettings: spans),
        // The virtual Bluetooth adapters of the guest that Tests/bluetooth boots.
        .target(name: "GuestAdapters", dependencies: ["BluetoothBridge", "HostSystem"], path: "Tests/GuestAdapters"),
        // What firmware images consist of, and our processor beside QEMU's.
        .executableTarget(
            name: "FirmwareHarness",
            dependencies: [
                "DeviceModel", "Emulator", "HostSystem", "TestSupport", "Watch", "WatchLink",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/FirmwareHarness", swiftSettings: spans),

        .testTarget(
            name: "WatchLinkTests", dependencies: ["HostSystem", "TestSupport", "WatchLink", "Wormhole"],
            exclude: ["Vectors"],
            swiftSettings: spans),
        .testTarget(
            name: "WatchTests",
            dependencies: ["DeviceModel", "HostSystem", "TestDoubles", "TestSupport", "Watch", "WatchLink"],
            exclude: ["Golden"], swiftSettings: spans),
        .testTarget(
            name: "EmulatorTests",
            dependencies: [
                "DeviceModel", "Emulator", "FirmwareHarness", "HostSystem", "TestDoubles", "TestSupport", "Watch",
                "WatchLink",
            ],
            exclude: ["Programs"], swiftSettings: spans),
        .testTarget(
            name: "DeviceModelTests", dependencies: ["DeviceModel", "TestDoubles", "TestSupport"],
            swiftSettings: spans),
        .testTarget(
            name: "TerminalWatchTests", dependencies: ["DeviceModel", "TerminalWatch", "TestSupport", "WatchLink"],
            swiftSettings: spans),
        .testTarget(name: "TapLatencyTests", dependencies: ["TapLatency"], swiftSettings: spans),
        .testTarget(
            name: "SoakTests",
            dependencies: [
                "CalDAV", "DeviceModel", "PhoneHost", "TestSupport", "Watch", "WatchLink", "Wormhole",
                "soak",
            ],
            swiftSettings: spans),
        .testTarget(
            name: "WormholeTests",
            dependencies: [
                "HostSystem", "TestSupport", "WatchLink", "Wormhole", "WormholeTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: spans),
        .testTarget(
            name: "BluetoothBridgeTests",
            dependencies: [
                "BluetoothBridge", "BluetoothBridgeTesting", "DeviceModel", "GuestAdapters", "HostRadio", "HostSystem",
                "TestSupport", "WatchLink", "WormholeTesting",
            ],
            swiftSettings: spans),
        .testTarget(
            name: "PhoneHostTests",
            dependencies: [
                "CalDAV", "DeviceModel", "HostSystem", "PhoneHost", "TestDoubles", "TestSupport",
                "Watch", "WatchLink", "WormholeTesting",
            ],
            swiftSettings: spans),
        .testTarget(
            name: "taplineTests",
            dependencies: [
                "tapline", "tapline-lab", "CalDAV", "CommandSupport", "PhoneHost", "TapLatency",
                "TerminalWatch", "TestDoubles", "TestSupport", "Wormhole", "WormholeTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: spans),
    ],
    swiftLanguageModes: [.v6]
)

// The optimised modules work through machine code and pixels: tests take a tenth of the time. These and three large ones are
// compiled in one piece, which takes a third less processor time than batches of files; the others gain nothing. `Tests/unit` builds
// one module again and again, so it takes the build that compiles only the files that changed.
let optimised = ["DeviceModel", "Emulator", "FirmwareHarness", "PhoneHost", "Watch", "WatchLink", "Wormhole"]
let inOnePiece = optimised + ["TerminalWatch"]
if Context.environment["TAPLINE_TESTS_OF"] == nil {
    let flags = ["-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"]
    for target in package.targets where inOnePiece.contains(target.name) {
        let all = flags + (optimised.contains(target.name) ? ["-O"] : [])
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(all, .when(configuration: .debug))]
    }
}

// What `Tests/run bench` measures. Nothing else needs it, so nothing else builds it.
if Context.environment["TAPLINE_BENCHMARKS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"))
    package.targets.append(
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "BluetoothBridge", "DeviceModel", "GuestAdapters", "HostRadio", "HostSystem", "PhoneHost",
                "TestDoubles", "TestSupport", "Watch", "WatchLink", "Wormhole", "WormholeTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Benchmarks", swiftSettings: spans))
}

// The plugin of `Simulator/documentation`.
if Context.environment["TAPLINE_DOCUMENTATION"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// `Tests/unit MODULE` builds that module's tests, and what they depend on, alone.
if let module = Context.environment["TAPLINE_TESTS_OF"] {
    func dependencies(of name: String) -> [Target] {
        package.targets.filter { $0.name == name }.flatMap { target in
            [target]
                + target.dependencies.flatMap { dependency in
                    switch dependency {
                    case .byNameItem(let name, _), .targetItem(let name, _): dependencies(of: name)
                    default: [Target]()
                    }
                }
        }
    }
    let needed = Set(dependencies(of: "\(module)Tests").map(\.name))
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll()
}
