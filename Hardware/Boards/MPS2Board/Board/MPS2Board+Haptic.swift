import Watch

extension MPS2Board: HapticDriver {
    @inline(never)
    mutating func play(_ pattern: HapticPattern) {
        keep(.haptic(pattern))
    }
}
