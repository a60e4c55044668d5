import PhoneHost
import WatchLink

/// The files that a watch takes, without keeping what is in them.
struct FileTaking {
    enum Busy {
        case never
        case once
    }

    var isBusy = Busy.never
    private(set) var stored: [String] = []
    private var labels: [UInt32: (label: String, length: UInt64)] = [:]
    private var answers: [[UInt8]] = []

    mutating func takeAnswers() -> [[UInt8]] {
        defer { answers = [] }
        return answers
    }

    mutating func take(_ datagram: [UInt8]) {
        guard let header = try? FileHeader(datagram.span) else { return }
        switch header.step {
        case .offer:
            guard let offer = try? FileOffer(datagram.span) else { return }
            let label = offer.label.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
            if case .once = isBusy {
                isBusy = .never
                return say(header.number, .refusal(.busy))
            }
            labels[header.number] = (label, offer.length)
            say(header.number, .resume(from: 0))
            if offer.length == 0 { store(header.number) }
        case .chunk(let offset):
            let end = offset + UInt64(datagram.count - FileHeader.longestSize)
            say(header.number, .progress(to: end))
            if end == labels[header.number]?.length { store(header.number) }
        case .resume, .cancel, .done, .progress, .refusal: break
        }
    }

    private mutating func store(_ number: UInt32) {
        if let file = labels.removeValue(forKey: number) { stored.append(file.label) }
        say(number, .done)
    }

    private mutating func say(_ number: UInt32, _ step: FileStep) {
        let frame = try? [UInt8](capacity: 16) { writer throws(CBORError) in
            try FileHeader(number: number, step: step).encode(into: &writer)
        }
        answers.append(frame ?? [])
    }
}
