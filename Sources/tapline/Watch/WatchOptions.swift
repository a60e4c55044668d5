import ArgumentParser

/// What a tap on a row does.
enum HandlerChoice: String, ExpressibleByArgument, CaseIterable {
    /// The fast one: the panel first, everything else after it.
    case shipping
    /// Everything before the panel.
    case legacy
}
