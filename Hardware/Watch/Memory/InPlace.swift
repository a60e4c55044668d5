/// A field without a value that makes the compiler pass the struct around it by address.
///
/// Without it a large struct is a loadable value: on armv7em every method that does not mutate it first copies it whole
/// to the stack, although it is not copyable.
@_rawLayout(size: 1, alignment: 1)
struct InPlace: ~Copyable {
    init() {}
}
