/// Nothing, in a form that the compiler never loads into registers: a struct that holds one is passed by its address.
///
/// Without it a large struct is a loadable value, and every method that does not change it first copies it whole to the
/// stack on armv7em, although it cannot be copied.
@_rawLayout(size: 1, alignment: 1)
struct InPlace: ~Copyable {
    /// Nothing.
    init() {}
}
