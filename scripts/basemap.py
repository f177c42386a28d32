#!/usr/bin/env python3
"""Draws the map's background, public/basemap/*.json, from the Natural Earth gazetteer (public domain).

usage: scripts/basemap.py GAZETTEER.ndjson [OUTPUT_FOLDER]
"""

import json
import pathlib
import sys
from collections import defaultdict

DECIMALS = 2  # about a kilometre
LAND_TOLERANCE_DEGREES = 0.13
LAKE_TOLERANCE_DEGREES = 0.08
SMALLEST_LAKE_SQUARE_DEGREES = 0.4
SMALLEST_ISLAND_SQUARE_DEGREES = 0.03


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    default_output = pathlib.Path(__file__).parent.parent / "public" / "basemap"
    output = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else default_output
    with open(sys.argv[1], encoding="utf-8") as lines:
        places = [json.loads(line) for line in lines]

    countries = [place for place in places if place["kind"] == "country"]
    lakes = [
        place
        for place in places
        if place["kind"] == "lake" and sum(area(polygon[0]) for polygon in polygons(place)) >= SMALLEST_LAKE_SQUARE_DEGREES
    ]
    output.mkdir(parents=True, exist_ok=True)
    write(output / "land.json", countries, LAND_TOLERANCE_DEGREES)
    write(output / "lakes.json", lakes, LAKE_TOLERANCE_DEGREES)


def write(path, places, tolerance):
    """One feature a line, so that a change of the data reads well as a diff."""
    rings = [ring for place in places for polygon in polygons(place) for ring in polygon]
    junctions = find_junctions(rings)
    features = [feature(place, junctions, tolerance) for place in sorted(places, key=lambda place: place["name"])]
    lines = ",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in features)
    path.write_text(f'{{"type":"FeatureCollection","features":[\n{lines}\n]}}\n', encoding="utf-8")
    print(f"{path}: {len(features)} features, {path.stat().st_size / 1000:.0f} kB")


def feature(place, junctions, tolerance):
    kept = []
    # the largest part first: a country of small islands keeps at least that one
    for polygon in sorted(polygons(place), key=lambda polygon: -area(polygon[0])):
        if kept and area(polygon[0]) < SMALLEST_ISLAND_SQUARE_DEGREES:
            break
        simplified = [simplify_ring(ring, junctions, tolerance) for ring in polygon]
        outline = simplified[0] or polygon[0]
        kept.append([outline] + [hole for hole in simplified[1:] if hole])
    rounded = [[[[round(number, DECIMALS) for number in position] for position in ring] for ring in polygon] for polygon in kept]
    if len(rounded) == 1:
        geometry = {"type": "Polygon", "coordinates": rounded[0]}
    else:
        geometry = {"type": "MultiPolygon", "coordinates": rounded}
    return {"type": "Feature", "properties": {"name": place["name"]}, "geometry": geometry}


def polygons(place):
    geometry = place["geometry"]
    if geometry["type"] == "Polygon":
        return [geometry["coordinates"]]
    return geometry["coordinates"] if geometry["type"] == "MultiPolygon" else []


def area(ring):
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(ring, ring[1:]))) / 2


def find_junctions(rings):
    """Positions where borders meet: they stay, so that two neighbours simplify their common border alike."""
    neighbours = defaultdict(set)
    for ring in rings:
        for start, end in zip(map(tuple, ring), map(tuple, ring[1:])):
            neighbours[start].add(end)
            neighbours[end].add(start)
    return {position for position, others in neighbours.items() if len(others) > 2}


def simplify_ring(ring, junctions, tolerance):
    """The ring with fewer positions, or None when nothing of it is left."""
    open_ring = [tuple(position) for position in ring[:-1]]
    # the lowest position is the same one whichever way round a neighbour walks the ring
    start = min((position for position in open_ring if position in junctions), default=min(open_ring))
    at = open_ring.index(start)
    walk = open_ring[at:] + open_ring[:at] + [start]
    cuts = [index for index, position in enumerate(walk) if position in junctions]
    if len(cuts) < 3:
        cuts = [0, max(range(len(walk)), key=lambda index: (distance(walk[index], start, start), walk[index])), len(walk) - 1]
    simplified = [start]
    for first, last in zip(cuts, cuts[1:]):
        simplified += simplify_line(walk[first : last + 1], tolerance)[1:]
    return simplified if len(simplified) >= 4 else None


def simplify_line(line, tolerance):
    """Douglas and Peucker's algorithm, from the lower end so that both directions give the same line."""
    if line[0] > line[-1]:
        return simplify_line(line[::-1], tolerance)[::-1]
    if len(line) < 3:
        return line
    farthest = max(range(1, len(line) - 1), key=lambda index: distance(line[index], line[0], line[-1]))
    if distance(line[farthest], line[0], line[-1]) <= tolerance:
        return [line[0], line[-1]]
    return simplify_line(line[: farthest + 1], tolerance)[:-1] + simplify_line(line[farthest:], tolerance)


def distance(position, start, end):
    """From a position to the segment between two others, in degrees."""
    (x, y), (x1, y1), (x2, y2) = position, start, end
    length_squared = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = 0 if length_squared == 0 else max(0, min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length_squared))
    return ((x - x1 - along * (x2 - x1)) ** 2 + (y - y1 - along * (y2 - y1)) ** 2) ** 0.5


if __name__ == "__main__":
    main()
