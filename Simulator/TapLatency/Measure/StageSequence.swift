import DeviceModel
import Emulator
import Watch

/// A handler that runs a list of stages. Callers can read the list, and create another sequence in which stages are switched
/// off, moved or added.
public struct StageSequence: TapHandler {
    /// The stages in their order, including those that are switched off.
    public let stages: [PlacedStage]
    private let immediate: [any TapStage.Type]
    private let deferred: [any TapStage.Type]

    /// Creates a handler that runs these stages.
    public init(_ stages: [PlacedStage]) {
        self.stages = stages
        immediate = stages.filter { $0.runs && $0.placement == .immediate }.map(\.stage)
        deferred = stages.filter { $0.runs && $0.placement == .deferred }.map(\.stage)
    }

    /// Creates a handler that runs the stages of `handler`, without its other code. Nil if `handler` is not composed with
    /// `TapHandlerBuilder`.
    public init?(of handler: some TapHandler) {
        guard let stages = StageSequence.stages(of: handler) else { return nil }
        self.init(stages)
    }

    static func isComposition(_ handler: some TapHandler) -> Bool {
        (handler as? any StageListing)?.isComposition ?? false
    }

    /// The number of deferred stages that are switched on.
    public var deferredCount: Int { deferred.count }

    /// Runs the immediate stages in their order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        for stage in immediate { run(stage, tap, on: &watch) }
    }

    /// Runs the deferred stage at an index in 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        run(deferred[index], tap, on: &watch)
    }

    private func run<B: Board & ~Copyable, Stage: TapStage>(
        _ stage: Stage.Type, _ tap: Tap, on watch: inout WatchCore<B>
    ) {
        Immediate(stage).runImmediate(tap, on: &watch)
    }

    private static func stages(of handler: any TapHandler) -> [PlacedStage]? {
        if let part = handler as? any StageListing { return part.placedStages }
        if let composed = handler as? any ComposedTapHandler { return stages(of: composed.stages) }
        return nil
    }

    fileprivate static func stages(of first: any TapHandler, _ second: any TapHandler) -> [PlacedStage]? {
        guard let first = stages(of: first), let second = stages(of: second) else { return nil }
        return first + second
    }
}

private protocol StageListing {
    /// The handler's stages in order. Nil if a part of the handler cannot list its stages.
    var placedStages: [PlacedStage]? { get }
    var isComposition: Bool { get }
}

extension StageListing {
    fileprivate var isComposition: Bool { true }
}

extension StageSequence: StageListing {
    fileprivate var placedStages: [PlacedStage]? { stages }
}

extension Immediate: StageListing {
    fileprivate var placedStages: [PlacedStage]? { [.immediate(Stage.self)] }
}

extension Deferred: StageListing {
    fileprivate var placedStages: [PlacedStage]? { [.deferred(Stage.self)] }
}

extension NoStages: StageListing {
    fileprivate var placedStages: [PlacedStage]? { [] }
}

extension Then: StageListing {
    fileprivate var placedStages: [PlacedStage]? { StageSequence.stages(of: first, second) }
    fileprivate var isComposition: Bool {
        StageSequence.isComposition(first) && StageSequence.isComposition(second)
    }
}

/// A stage and its placement in a handler.
public struct PlacedStage: Sendable {
    /// The type of the stage.
    public let stage: any TapStage.Type
    /// `.immediate` if the stage runs before the panel is updated, `.deferred` if it runs after that.
    public var placement: StagePlacement
    var runs = true

    /// Returns a stage that runs before the panel is updated, while the wearer waits.
    public static func immediate(_ stage: any TapStage.Type) -> PlacedStage {
        PlacedStage(stage: stage, placement: .immediate)
    }

    /// Returns a stage that runs after the panel is updated.
    public static func deferred(_ stage: any TapStage.Type) -> PlacedStage {
        PlacedStage(stage: stage, placement: .deferred)
    }

    /// The name of the stage.
    public var name: String { stage.name.stageName }

    /// The same stage, switched off.
    public var off: PlacedStage { PlacedStage(stage: stage, placement: placement, runs: false) }
}

/// A handler in an image that the emulator executes. The handler runs all its stages, or only chosen ones.
struct ExecutedHandler: Sendable {
    let image: LabImage
    let composition: HandlerComposition
    /// The number of stages that run before the update of the panel. Nil if it is unknown before the handler runs.
    let immediateStages: Int?

    init(_ image: LabImage, handler place: Int) {
        self.image = image
        composition = .own(handler: place)
        let stages = image.handlers[place].stages
        immediateStages = stages.isEmpty ? nil : stages.count { $0.placement == .immediate }
    }

    /// Creates a handler that runs all its stages. The program in the image also reports when the handler's own code begins and
    /// returns.
    init(_ image: LabImage, reporting place: Int) {
        self.image = image
        composition = .reported(handler: place)
        immediateStages = nil
    }

    init(_ image: LabImage, named name: String) throws(TapLatencyError) {
        self.init(image, handler: try ExecutedHandler.place(of: name, in: image))
    }

    private static func place(of name: String, in image: LabImage) throws(TapLatencyError) -> Int {
        do throws(EmulatorError) {
            return try image.place(of: name)
        } catch {
            throw .image("\(error)")
        }
    }

    init(_ image: LabImage, handler place: Int, choosing stages: [HandlerComposition.ChosenStage]) {
        self.image = image
        composition = .chosen(handler: place, stages)
        immediateStages = stages.count { $0.placement == .immediate }
    }

    /// Creates a handler that runs `stages`, except the stages that are switched off. Throws `.image` if the image lacks a
    /// stage.
    init(_ image: LabImage, of stages: [PlacedStage]) throws(TapLatencyError) {
        let every = StageSequence(of: EveryStage())?.stages.map { ObjectIdentifier($0.stage) } ?? []
        let place = try ExecutedHandler.place(of: "every stage", in: image)
        var chosen: [HandlerComposition.ChosenStage] = []
        for placed in stages where placed.runs {
            guard let number = every.firstIndex(of: ObjectIdentifier(placed.stage)),
                number < image.handlers[place].stages.count
            else { throw .image("it has no stage '\(placed.name)'") }
            chosen.append(HandlerComposition.ChosenStage(stage: number, placement: placed.placement))
        }
        self.init(image, handler: place, choosing: chosen)
    }
}
