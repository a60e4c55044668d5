import DeviceModel
import HostSystem
import MachineWatch

/// The handlers of a package that are to be executed.
struct ExecutableHandlers {
    private let package: TapImagePackage
    private let wanted: String?

    /// All handlers of a package, or only the one of this type.
    init(of package: HandlerPackage, only wanted: String?) {
        self.package = TapImagePackage(for: package)
        self.wanted = wanted
    }

    /// An image of them.
    func image(
        on device: DeviceProfile, _ progress: (_ done: Int, _ all: Int, _ what: String) -> Void
    ) throws -> LabImage {
        progress(0, 2, "building \(package.handlers.name) for the watch's processor")
        let found = try package.findHandlers()
        guard !found.isEmpty else {
            throw HandlerFailure(
                "\(package.handlers.name) has no handler: a public type that conforms to TapHandler, with init()")
        }
        let chosen = wanted.map { wanted in found.filter { $0.type == wanted || $0.name == wanted } } ?? found
        guard let first = chosen.first else {
            throw HandlerFailure(
                "no handler '\(wanted ?? "")' in \(package.handlers.name): there is \(found.map(\.name).joined(separator: ", "))"
            )
        }
        if wanted != nil, chosen.count > 1 {
            throw HandlerFailure(
                "two handlers are called '\(first.type)': \(chosen.map(\.name).joined(separator: ", "))")
        }
        progress(1, 2, "building the image")
        return try LabImageFile(path: package.build(chosen)).image(on: device)
    }
}
