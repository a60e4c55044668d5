import MachineWatch
import Watch

/// A handler of an image that is executed, as its source composes it or with stages chosen.
struct ExecutedHandler: Sendable {
    let image: LabImage
    let composition: LabSettings.Composition
    /// How many stages run before the panel is updated; nil for a handler that cannot be taken apart.
    let immediateStages: Int?

    /// The handler at a place in an image, as it is.
    init(_ image: LabImage, handler place: Int) {
        self.image = image
        composition = .own(handler: place)
        let stages = image.handlers[place].stages
        immediateStages = stages.isEmpty ? nil : stages.count { $0.placement == .immediate }
    }

    /// The handler at a place in an image, as it is, with reports of when its own code begins and returns.
    init(_ image: LabImage, reporting place: Int) {
        self.image = image
        composition = .reported(handler: place)
        immediateStages = nil
    }

    /// The handler of an image that is called `name`, as it is.
    init(_ image: LabImage, named name: String) throws(TapLatencyError) {
        do throws(LabImageError) {
            self.init(image, handler: try image.place(of: name))
        } catch {
            throw .image("\(error)")
        }
    }

    /// These stages of the handler at a place, in this order.
    init(_ image: LabImage, handler place: Int, choosing stages: [LabSettings.ChosenStage]) {
        self.image = image
        composition = .chosen(handler: place, stages)
        immediateStages = stages.count { $0.placement == .immediate }
    }

    /// Stages of Tapline's own, composed anew on its own image.
    ///
    /// - Throws: `.image` if the image lacks one of them.
    init(_ image: LabImage, of stages: [PlacedStage]) throws(TapLatencyError) {
        let every = StageSequence(of: EveryStage())?.stages.map { ObjectIdentifier($0.stage) } ?? []
        let place: Int
        do throws(LabImageError) {
            place = try image.place(of: "every stage")
        } catch {
            throw .image("\(error)")
        }
        var chosen: [LabSettings.ChosenStage] = []
        for placed in stages where placed.runs {
            guard let number = every.firstIndex(of: ObjectIdentifier(placed.stage)),
                number < image.handlers[place].stages.count
            else { throw .image("it has no stage '\(placed.name)'") }
            chosen.append(LabSettings.ChosenStage(stage: number, placement: placed.placement))
        }
        self.init(image, handler: place, choosing: chosen)
    }
}
