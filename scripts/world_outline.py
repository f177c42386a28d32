#!/usr/bin/env python3
"""Draws public/world.svg, the land as one small path in degrees (south downwards), from the vendored basemap.

Thumbnails and still maps of the pages refer to it as /world.svg#land."""

import json
import pathlib
import sys

from basemap import area, find_junctions, polygons, simplify_ring

TOLERANCE_DEGREES = 0.6
SMALLEST_ISLAND_SQUARE_DEGREES = 0.5


def main():
    public = pathlib.Path(__file__).resolve().parent.parent / "public"
    features = json.loads((public / "basemap" / "land.json").read_text(encoding="utf-8"))["features"]
    rings = [polygon[0] for feature in features for polygon in polygons(feature)]
    junctions = find_junctions(rings)
    large = [ring for ring in rings if area(ring) >= SMALLEST_ISLAND_SQUARE_DEGREES]
    land = "".join(outline(simplify_ring(ring, junctions, TOLERANCE_DEGREES)) for ring in large)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -90 360 180"><path id="land" d="{land}"/></svg>\n'
    (public / "world.svg").write_text(svg, encoding="utf-8")
    print(f"public/world.svg: {len(svg) / 1000:.0f} kB", file=sys.stderr)


def outline(ring):
    return "M" + "L".join(f"{number(x)} {number(-y)}" for x, y in ring[:-1]) + "z" if ring else ""


def number(value):
    """One decimal at most; no minus zero."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


if __name__ == "__main__":
    main()
