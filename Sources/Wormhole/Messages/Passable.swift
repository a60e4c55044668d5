/// What can be passed: any value that says how it is encoded.
public typealias Passable = Codable & Sendable
