//! Unwrapping lines that jump over the antimeridian, and cutting shapes along it (RFC 7946 section 3.1.9).

use geo::{Area, Contains, Coord, LineString, Polygon};

/// Degrees of longitude where the plane is cut.
const SEAM: f64 = 180.0;

/// An edge longer than half the globe that is neither a parallel's whole length nor part of a line written beyond ±180.
pub(super) fn jumps(line: &[Coord<f64>]) -> bool {
    let continuous = line.iter().any(|at| at.x.abs() > SEAM);
    !continuous && line.windows(2).any(|edge| matches!(edge, [a, b] if is_jump(a, b)))
}

fn is_jump(a: &Coord<f64>, b: &Coord<f64>) -> bool {
    (b.x - a.x).abs() > SEAM && !(a.x.abs() == SEAM && b.x.abs() == SEAM)
}

/// Whether every jump starts and ends in the half of the globe around the antimeridian: there it is meant to cross it.
pub(super) fn jumps_near_the_antimeridian(line: &[Coord<f64>]) -> bool {
    let near = |at: &Coord<f64>| at.x.abs() >= SEAM / 2.0;
    line.windows(2).all(|edge| matches!(edge, [a, b] if !is_jump(a, b) || (near(a) && near(b))))
}

/// The same line going the short way at every jump, so that longitudes may leave −180..=180.
pub(super) fn unwrap(line: &[Coord<f64>]) -> Vec<Coord<f64>> {
    let mut turn = 0.0;
    let mut previous: Option<Coord<f64>> = None;
    let mut unwrapped = Vec::with_capacity(line.len());
    for at in line {
        if let Some(previous) = previous.filter(|previous| is_jump(previous, at)) {
            turn += if at.x < previous.x { 360.0 } else { -360.0 };
        }
        unwrapped.push(Coord { x: at.x + turn, y: at.y });
        previous = Some(*at);
    }
    unwrapped
}

/// Moves a line by whole turns so that its westernmost point lies in −180..180.
pub(super) fn homed(line: &mut [Coord<f64>]) {
    let west = line.iter().map(|at| at.x).fold(f64::INFINITY, f64::min);
    // A meridian at 180 stays where it was written.
    let turns = if west == SEAM && line.iter().all(|at| at.x == SEAM) { 0.0 } else { ((west + SEAM) / 360.0).floor() };
    if turns != 0.0 {
        line.iter_mut().for_each(|at| at.x -= turns * 360.0);
    }
}

/// The parts of a line (westernmost point in −180..180) within −180..=180.
pub(super) fn cut_line(line: &[Coord<f64>]) -> Vec<LineString<f64>> {
    let mut parts = Vec::new();
    let mut part: Vec<Coord<f64>> = Vec::new();
    let mut turn = 0.0;
    for at in line {
        let here = Coord { x: at.x - turn, y: at.y };
        if let Some(last) = part.last().copied() {
            let beyond_east = here.x > SEAM;
            if beyond_east || here.x < -SEAM {
                let edge = if beyond_east { SEAM } else { -SEAM };
                let meeting = crossing(last, here, edge);
                part.push(meeting);
                parts.push(std::mem::take(&mut part));
                let step = if beyond_east { 360.0 } else { -360.0 };
                turn += step;
                part.push(Coord { x: -edge, y: meeting.y });
                part.push(Coord { x: here.x - step, y: here.y });
                continue;
            }
        }
        part.push(here);
    }
    parts.push(part);
    parts.iter_mut().for_each(|part| part.dedup());
    parts.into_iter().filter(|part| part.len() > 1).map(LineString::from).collect()
}

fn crossing(a: Coord<f64>, b: Coord<f64>, x: f64) -> Coord<f64> {
    let share = (x - a.x) / (b.x - a.x);
    let y = if a.y == b.y { a.y } else { a.y + share * (b.y - a.y) };
    Coord { x, y }
}

/// The parts of a valid polygon (exterior counter-clockwise, holes clockwise, westernmost point in −180..180, at most 360
/// wide) within −180..=180. Corners are kept to the bit; only the points on the cut are new.
pub(super) fn cut_polygon(polygon: &Polygon<f64>) -> Vec<Polygon<f64>> {
    let rings: Vec<&[Coord<f64>]> =
        std::iter::once(polygon.exterior()).chain(polygon.interiors()).map(|ring| ring.0.as_slice()).collect();
    if rings.iter().all(|ring| ring.iter().all(|at| at.x <= SEAM)) {
        return vec![polygon.clone()];
    }
    let west = half(&rings, 1.0, 0.0);
    let east = half(&rings, -1.0, 360.0);
    west.into_iter().chain(east).collect()
}

/// One side of the cut: `side` is 1 for the part west of the seam, −1 for the part east of it, which moves by −`turn`.
fn half(rings: &[&[Coord<f64>]], side: f64, turn: f64) -> Vec<Polygon<f64>> {
    let mut closed: Vec<Vec<Coord<f64>>> = Vec::new();
    let mut chains: Vec<Vec<Coord<f64>>> = Vec::new();
    for ring in rings {
        collect_chains(ring, side, &mut closed, &mut chains);
    }
    closed.extend(join(chains, side));
    for ring in &mut closed {
        ring.iter_mut().for_each(|at| at.x -= turn);
    }
    assemble(closed)
}

fn inside(at: Coord<f64>, side: f64) -> bool {
    (SEAM - at.x) * side > 0.0
}

/// Runs of corners strictly inside, each with the points where it enters and leaves; rings wholly inside apart.
fn collect_chains(ring: &[Coord<f64>], side: f64, closed: &mut Vec<Vec<Coord<f64>>>, chains: &mut Vec<Vec<Coord<f64>>>) {
    let corners = ring.split_last().map_or(ring, |(_, open)| open);
    let Some(start) = corners.iter().position(|at| !inside(*at, side)) else {
        closed.push(ring.to_vec());
        return;
    };
    let around = corners.iter().cycle().skip(start).take(corners.len() + 1).copied();
    let mut chain: Vec<Coord<f64>> = Vec::new();
    let mut previous: Option<Coord<f64>> = None;
    for at in around {
        let was_inside = previous.is_some_and(|previous| inside(previous, side));
        if let Some(previous) = previous {
            if inside(at, side) && !was_inside {
                chain.push(crossing(previous, at, SEAM));
            }
            if was_inside && !inside(at, side) {
                chain.push(crossing(previous, at, SEAM));
                chains.push(std::mem::take(&mut chain));
            }
        }
        if inside(at, side) {
            chain.push(at);
        }
        previous = Some(at);
    }
}

/// Along the cut, the interior lies between the first and second meeting point, the third and fourth, and so on: each chain that
/// leaves there goes on with the chain that enters at the other end of the interval.
fn join(chains: Vec<Vec<Coord<f64>>>, side: f64) -> Vec<Vec<Coord<f64>>> {
    struct Meeting {
        /// Along the direction in which the boundary follows the cut with the interior on its left.
        along: f64,
        leaves: bool,
        chain: usize,
    }
    let mut meetings: Vec<Meeting> = Vec::new();
    for (chain, points) in chains.iter().enumerate() {
        meetings.extend(points.first().map(|at| Meeting { along: at.y * side, leaves: false, chain }));
        meetings.extend(points.last().map(|at| Meeting { along: at.y * side, leaves: true, chain }));
    }
    meetings.sort_by(|a, b| a.along.total_cmp(&b.along));
    // Points that coincide must alternate too: leave, enter, leave, enter.
    for at in 0..meetings.len() {
        let wants_leave = at % 2 == 0;
        let here = meetings.get(at).map(|meeting| (meeting.along, meeting.leaves));
        let Some((along, leaves)) = here else { continue };
        if leaves != wants_leave {
            let other = meetings.iter().skip(at + 1).position(|next| next.leaves == wants_leave && next.along == along);
            if let Some(other) = other {
                meetings.swap(at, at + 1 + other);
            }
        }
    }
    let mut next = vec![usize::MAX; chains.len()];
    for pair in meetings.chunks_exact(2) {
        if let [leaving, entering] = pair
            && let Some(slot) = next.get_mut(leaving.chain)
        {
            *slot = entering.chain;
        }
    }
    let mut rings = Vec::new();
    let mut taken = vec![false; chains.len()];
    for start in 0..chains.len() {
        let mut ring: Vec<Coord<f64>> = Vec::new();
        let mut at = start;
        while taken.get(at) == Some(&false) {
            if let Some(slot) = taken.get_mut(at) {
                *slot = true;
            }
            ring.extend(chains.get(at).into_iter().flatten());
            at = next.get(at).copied().unwrap_or(usize::MAX);
        }
        if let Some(first) = ring.first().copied() {
            ring.push(first);
            ring.dedup();
            rings.push(ring);
        }
    }
    rings
}

/// Rings with the interior on their left: counter-clockwise ones are exteriors, each clockwise one a hole of the exterior around it.
fn assemble(rings: Vec<Vec<Coord<f64>>>) -> Vec<Polygon<f64>> {
    let rings = rings.into_iter().filter(|ring| ring.len() >= 4).map(|ring| Polygon::new(LineString::from(ring), Vec::new()));
    let (mut exteriors, holes): (Vec<_>, Vec<_>) =
        rings.filter(|ring| ring.signed_area() != 0.0).partition(|ring| ring.signed_area() > 0.0);
    for hole in holes {
        let around = exteriors.iter_mut().find(|exterior| {
            let outline = Polygon::new(exterior.exterior().clone(), Vec::new());
            hole.exterior().0.iter().any(|corner| outline.contains(corner))
        });
        if let Some(exterior) = around {
            exterior.interiors_push(hole.exterior().clone());
        }
    }
    exteriors
}
