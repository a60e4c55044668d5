struct DiskLocks {
    /// The lock level of each handle, from `SQLITE_LOCK_NONE` (0) to `SQLITE_LOCK_EXCLUSIVE` (4).
    private var levels: [ObjectIdentifier: Int32] = [:]
    /// The handles with a shared lock, for each of the eight locks on the index of the write-ahead log. `owners` has
    /// the handles with an exclusive lock.
    private var sharers: [[ObjectIdentifier]] = Array(repeating: [], count: 8)
    private var owners: [ObjectIdentifier?] = Array(repeating: nil, count: 8)

    func level(of holder: ObjectIdentifier) -> Int32 { levels[holder] ?? 0 }

    mutating func raise(_ holder: ObjectIdentifier, to level: Int32) -> Bool {
        let others = levels.filter { $0.key != holder }.values
        let isFree =
            switch level {
            case 0, 1: others.allSatisfy { $0 < 3 }
            case 2: others.allSatisfy { $0 < 2 }
            case _: others.allSatisfy { $0 < 1 }
            }
        if isFree { levels[holder] = max(level, self.level(of: holder)) }
        return isFree
    }

    mutating func lower(_ holder: ObjectIdentifier, to level: Int32) {
        levels[holder] = level == 0 ? nil : min(level, self.level(of: holder))
    }

    var isReserved: Bool { levels.values.contains { $0 >= 2 } }

    mutating func take(_ places: Range<Int>, alone isExclusive: Bool, for holder: ObjectIdentifier) -> Bool {
        for place in places {
            if let owner = owners[place], owner != holder { return false }
            if isExclusive, sharers[place].contains(where: { $0 != holder }) { return false }
        }
        for place in places {
            if isExclusive { owners[place] = holder } else { sharers[place].append(holder) }
        }
        return true
    }

    mutating func release(_ places: Range<Int>, alone isExclusive: Bool, of holder: ObjectIdentifier) {
        for place in places {
            if isExclusive {
                owners[place] = nil
            } else if let index = sharers[place].firstIndex(of: holder) {
                sharers[place].remove(at: index)
            }
        }
    }

    mutating func releaseAll(of holder: ObjectIdentifier) {
        levels[holder] = nil
        for place in sharers.indices {
            sharers[place].removeAll { $0 == holder }
            if owners[place] == holder { owners[place] = nil }
        }
    }
}
