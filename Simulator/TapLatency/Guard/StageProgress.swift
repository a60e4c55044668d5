import DeviceModel
import Glibc
import Synchronization

/// How far a measuring process is: memory that it shares with its parent. The parent reads it while the process runs
/// and after it has ended.
struct StageProgress: Sendable {
    /// How a process without a result has ended, if it could still record that.
    enum Ending: Int {
        /// It did not say: it was killed, or trapped.
        case unknown = 0
        /// A stage let the watch's clock go on beyond the limit.
        case waited = 1
    }

    /// What is in the shared memory.
    private struct Page: ~Copyable {
        /// Counts up with every beginning and end of a stage: odd while one runs.
        let beats = Atomic<Int>(0)
        /// The address of the name of the stage that began last. A name is a literal, which is at the same address in
        /// both processes.
        let name = Atomic<UInt>(0)
        let nameLength = Atomic<Int>(0)
        let ending = Atomic<Int>(Ending.unknown.rawValue)
    }

    private let page: UInt

    /// New shared memory.
    ///
    /// - Throws: `.board` when the system has none left.
    init() throws(TapLatencyError) {
        let memory = mmap(nil, MemoryLayout<Page>.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { throw .board("there is no memory for a measuring process") }
        memory.bindMemory(to: Page.self, capacity: 1).initialize(to: Page())
        page = UInt(bitPattern: memory)
    }

    /// Frees the memory. No other method may be called afterwards.
    func release() { munmap(UnsafeMutableRawPointer(bitPattern: page), MemoryLayout<Page>.size) }

    private var memory: UnsafeMutablePointer<Page>? { UnsafeMutablePointer(bitPattern: page) }

    func began(_ stage: StaticString) {
        guard let memory else { return }
        let address = stage.hasPointerRepresentation ? UInt(bitPattern: stage.utf8Start) : 0
        memory.pointee.name.store(address, ordering: .relaxed)
        memory.pointee.nameLength.store(address == 0 ? 0 : stage.utf8CodeUnitCount, ordering: .relaxed)
        memory.pointee.beats.add(1, ordering: .sequentiallyConsistent)
    }

    /// Notes that the stage has ended.
    func ended() { _ = memory?.pointee.beats.add(1, ordering: .sequentiallyConsistent) }

    /// The number of beginnings and ends so far: odd while a stage runs.
    var beat: Int { memory?.pointee.beats.load(ordering: .sequentiallyConsistent) ?? 0 }

    /// The name of the stage that runs, nil while none does.
    var runningStage: String? {
        guard !beat.isMultiple(of: 2), let memory else { return nil }
        let name = memory.pointee.name.load(ordering: .relaxed)
        guard let start = UnsafePointer<UInt8>(bitPattern: name) else { return StageName.plain("") }
        let length = memory.pointee.nameLength.load(ordering: .relaxed)
        return StageName.plain(String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self))
    }

    /// How the process has ended, if it could still record that.
    var ending: Ending { (memory?.pointee.ending.load(ordering: .relaxed)).flatMap(Ending.init) ?? .unknown }

    /// Notes how the process is about to end.
    func end(_ ending: Ending) { memory?.pointee.ending.store(ending.rawValue, ordering: .relaxed) }
}

extension StageProgress {
    /// The address of this process's page; 0 in a process that does not measure, because an atomic holds no optional.
    private static let own = Atomic<UInt>(0)

    private init(page: UInt) { self.page = page }

    /// The progress of the process that runs this code; nil in one that does not measure.
    static var current: StageProgress? {
        let page = own.load(ordering: .relaxed)
        return page == 0 ? nil : StageProgress(page: page)
    }

    /// Makes this the progress of the process that runs this code.
    func becomeCurrent() { StageProgress.own.store(page, ordering: .relaxed) }
}
