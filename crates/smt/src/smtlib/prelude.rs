//! What every script begins with: pointers, and the float operations that SMT-LIB lacks.

use std::fmt::Write;

use ravelin_term::FloatKind;

use super::literal;

/// The bits of a pointer that number its object; the offset is in the bits below.
pub(super) const OBJECT_BITS: u16 = 32;

/// The sort of a float, as SMT-LIB writes it.
pub(super) fn float_sort(kind: FloatKind) -> String {
    let (exponent_bits, significand_bits) = literal::float_format(kind);
    format!("(_ FloatingPoint {exponent_bits} {significand_bits})")
}

/// The name of C's `fmod`.
pub(super) fn fmod(kind: FloatKind) -> String {
    format!("fmod.f{}", kind.bits())
}

/// The definitions, for pointers whose offset has `pointer_bits` bits.
pub(super) fn text(pointer_bits: u16) -> String {
    let mut out = pointers(pointer_bits);
    out.push_str(EXTENDED_FLOATS);
    // The remainder that SMT-LIB has rounds the quotient to nearest, fmod truncates it. As an
    // uninterpreted function it may have any values, among them the true ones.
    for kind in [FloatKind::F32, FloatKind::F64, FloatKind::F80, FloatKind::F128] {
        let (name, sort) = (fmod(kind), float_sort(kind));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "(declare-fun {name} ({sort} {sort}) {sort})");
    }
    out
}

/// Where objects lie is left open, but that it is not at zero (C11 6.3.2.3p3): `base` is the address of
/// an object, `resolve` the object at an address. Objects may overlap, which over-approximates.
///
/// Pointers into one object compare as their offsets, which may be negative; pointers into none are
/// integers.
fn pointers(pointer_bits: u16) -> String {
    let (all, top) = (OBJECT_BITS + pointer_bits, OBJECT_BITS + pointer_bits - 1);
    let (object, address) =
        (format!("(_ BitVec {OBJECT_BITS})"), format!("(_ BitVec {pointer_bits})"));
    let offset_top = pointer_bits - 1;
    let [zero, one] = [0, 1].map(|address| literal::bv(pointer_bits, address));
    let (no_object, null) = (literal::bv(OBJECT_BITS, 0), literal::bv(all, 0));
    format!(
        "\
(define-sort Ptr () (_ BitVec {all}))
(declare-fun place ({object}) {address})
(define-fun base ((o {object})) {address} (ite (= (place o) {zero}) {one} (place o)))
(declare-fun resolve ({address}) {object})
(define-fun ptr.obj ((p Ptr)) {object} ((_ extract {top} {pointer_bits}) p))
(define-fun ptr.off ((p Ptr)) {address} ((_ extract {offset_top} 0) p))
(define-fun ptr.add ((p Ptr) (i {address})) Ptr (concat (ptr.obj p) (bvadd (ptr.off p) i)))
(define-fun ptr.int ((p Ptr)) {address}
  (ite (= (ptr.obj p) {no_object}) (ptr.off p) (bvadd (base (ptr.obj p)) (ptr.off p))))
(define-fun ptr.of ((x {address})) Ptr
  (ite (= x {zero}) {null}
    (concat (resolve x)
      (ite (= (resolve x) {no_object}) x (bvsub x (base (resolve x)))))))
(define-fun ptr.diff ((p Ptr) (q Ptr)) {address}
  (ite (= (ptr.obj p) (ptr.obj q)) (bvsub (ptr.off p) (ptr.off q))
    (bvsub (ptr.int p) (ptr.int q))))
(define-fun ptr.near ((p Ptr) (q Ptr)) Bool
  (and (= (ptr.obj p) (ptr.obj q)) (not (= (ptr.obj p) {no_object}))))
(define-fun ptr.lt ((p Ptr) (q Ptr)) Bool
  (ite (ptr.near p q) (bvslt (ptr.off p) (ptr.off q)) (bvult (ptr.int p) (ptr.int q))))
(define-fun ptr.le ((p Ptr) (q Ptr)) Bool
  (ite (ptr.near p q) (bvsle (ptr.off p) (ptr.off q)) (bvule (ptr.int p) (ptr.int q))))
; The pointer that memory with bytes b and the last written pointer s holds.
(define-fun ptr.load ((b {address}) (s Ptr)) Ptr
  (ite (= b {zero}) {null} (ite (= (ptr.int s) b) s (ptr.of b))))
"
    )
}

/// The float with the bits of the x87 format, whose integer bit is explicit: without it a number is
/// invalid, and with it the exponent of denormals counts as 1 (Intel SDM volume 1, 8.2.2).
const EXTENDED_FLOATS: &str = "\
(define-fun f80.of ((b (_ BitVec 80))) (_ FloatingPoint 15 64)
  (ite (= ((_ extract 63 63) b) #b0)
    (ite (= ((_ extract 78 64) b) #b000000000000000)
      (fp ((_ extract 79 79) b) ((_ extract 78 64) b) ((_ extract 62 0) b))
      (_ NaN 15 64))
    (ite (= ((_ extract 78 64) b) #b000000000000000)
      (fp ((_ extract 79 79) b) #b000000000000001 ((_ extract 62 0) b))
      (fp ((_ extract 79 79) b) ((_ extract 78 64) b) ((_ extract 62 0) b)))))
";
