import WatchLink

/// The values of the `delivery` columns.
enum StoredDelivery: String {
    case queued
    case complication

    init(_ charge: MessageCharge) {
        switch charge {
        case .nothing: self = .queued
        case .complication: self = .complication
        }
    }

    var charge: MessageCharge {
        switch self {
        case .queued: .nothing
        case .complication: .complication
        }
    }

    var delivery: Delivery {
        switch self {
        case .queued: .queued
        case .complication: .complication
        }
    }
}
