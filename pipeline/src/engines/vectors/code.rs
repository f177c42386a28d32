//! Vectors as one signed byte a number.

/// A unit vector: number ≈ value · scale. The scale is the vector's own, since the numbers of a unit vector of some hundred
/// dimensions lie around 0.05 and a fixed one would leave them three bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    pub values: Vec<i8>,
    pub scale: f32,
}

impl Code {
    pub fn of(vector: &[f32]) -> Self {
        let scale = scale_of(vector);
        let values = vector.iter().map(|value| (value / scale).round() as i8).collect();
        Self { values, scale }
    }
}

fn scale_of(vector: &[f32]) -> f32 {
    let largest = vector.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    if largest > 0.0 { largest / 127.0 } else { 1.0 }
}

/// The vector that is asked for, widened once so that the scan widens one side only.
pub struct Question {
    values: Vec<i16>,
    scale: f32,
}

impl Question {
    pub fn new(vector: &[f32]) -> Self {
        let code = Code::of(vector);
        Self { values: code.values.iter().copied().map(i16::from).collect(), scale: code.scale }
    }

    #[inline]
    pub fn cosine(&self, code: &[i8], scale: f32) -> f32 {
        dot(code, &self.values) as f32 * scale * self.scale
    }
}

/// Sixteen numbers a step into eight sums: the shape that compilers turn into `pmaddwd` on every x86-64 and into `smlal` on
/// aarch64. Wrapping operations, since overflow checks would keep it scalar; 2¹⁷ dimensions fit in an `i32`.
#[inline]
#[expect(clippy::indexing_slicing, reason = "arrays of known size; zipped iterators take half as long again")]
fn dot(code: &[i8], question: &[i16]) -> i32 {
    let (blocks, rest) = code.as_chunks::<16>();
    let (question_blocks, question_rest) = question.as_chunks::<16>();
    let mut sums = [0_i32; 8];
    for (code, question) in blocks.iter().zip(question_blocks) {
        for at in 0..8 {
            let pair = product(code[at], question[at]).wrapping_add(product(code[at + 8], question[at + 8]));
            sums[at] = sums[at].wrapping_add(pair);
        }
    }
    let tail = rest.iter().zip(question_rest).fold(0_i32, |sum, (a, b)| sum.wrapping_add(product(*a, *b)));
    sums.iter().fold(tail, |sum, part| sum.wrapping_add(*part))
}

#[inline]
fn product(a: i8, b: i16) -> i32 {
    i32::from(a).wrapping_mul(i32::from(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn dot_is_the_sum_of_products(pairs in proptest::collection::vec((-127_i8..=127, -127_i16..=127), 0..100)) {
            let (code, question): (Vec<i8>, Vec<i16>) = pairs.iter().copied().unzip();
            let expected: i32 = pairs.iter().map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
            proptest::prop_assert_eq!(dot(&code, &question), expected);
        }

        #[test]
        fn quantised_numbers_are_near(vector in proptest::collection::vec(-1.0_f32..1.0, 1..50)) {
            let code = Code::of(&vector);
            for (value, number) in vector.iter().zip(&code.values) {
                proptest::prop_assert!((value - f32::from(*number) * code.scale).abs() <= code.scale * 0.51);
            }
        }
    }

    #[test]
    fn zero_is_no_division() {
        assert_eq!(Code::of(&[0.0, 0.0]), Code { values: vec![0, 0], scale: 1.0 });
    }
}
