#!/usr/bin/env python3
"""Checks elements.ndjson against the wire format and against its sources.

usage: check.py SHARED [elements.ndjson]

SHARED is the folder that holds data/ and papers/ (or its data/ folder). Only the standard library is used;
pdftotext (poppler) reads the PDFs, and where it is missing the PDF checks are reported as not run.
"""
import collections
import json
import os
import re
import subprocess
import sys

KINDS = ("dataset", "notebook", "publication", "map", "code", "oer")
FIELDS = ("id", "kind", "title", "authors", "tags", "description", "license", "language", "doi", "links", "spatial",
          "temporal", "details", "related", "contributor", "bookmarked_by", "visibility", "click_count", "created",
          "updated", "extra")
LINK_RELS = ("about", "download", "repository", "preview", "service", "related")
RELS = ("cites", "related-to", "derived-from", "used-in")
DETAILS = {
    "dataset": ("format", "size_bytes"),
    "publication": ("venue", "year", "pages"),
    "notebook": ("repository", "functions", "imports", "tasks"),
    "code": ("repository", "functions", "imports", "tasks"),
    "map": ("service",),
    "oer": ("level", "audience"),
}
NEEDED = {"dataset": 70, "notebook": 20, "publication": 25, "map": 8, "code": 15, "oer": 12}
TIME = re.compile(r"^(-?\d{4,6}|\d{4}-\d\d|\d{4}-\d\d-\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$")
EO = "data/eo-collections/collections.ndjson"

errors = []


def fail(where, what):
    errors.append(f"{where}: {what}")


def squash(text):
    return " ".join(text.split())


class Sources:
    """The text of one record of a shared file, unescaped, so that a DOI or an address can be looked up in it."""

    def __init__(self, root):
        root = root.rstrip("/")
        self.root = os.path.dirname(root) if os.path.basename(root) == "data" else root
        self.cache = {}
        self.no_pdf = False

    def load(self, path):
        if path in self.cache:
            return self.cache[path]
        full = os.path.join(self.root, path)
        out = None
        if not os.path.isfile(full):
            out = None
        elif path.endswith(".ndjson"):
            out = collections.defaultdict(list)
            with open(full, encoding="utf-8") as f:
                for line in f:
                    record = json.loads(line)
                    out[record.get("id", record.get("name"))].append(record)
        elif path.endswith(".pdf"):
            try:
                run = subprocess.run(["pdftotext", full, "-"], capture_output=True, check=False)
                out = run.stdout.decode("utf-8", "replace")
            except FileNotFoundError:
                self.no_pdf = True
                out = ""
        else:
            with open(full, encoding="utf-8") as f:
                raw = f.read()
            out = json.loads(raw) if path.endswith(".json") else raw
        self.cache[path] = out
        return out

    def records(self, source):
        """The records a `shared/…#key` string names; None where file or key do not exist."""
        path, _, key = source[len("shared/"):].partition("#")
        data = self.load(path)
        if data is None or not key:
            return None
        if path.endswith(".ndjson"):
            name, _, kind = key.partition("|")
            found = data.get(name, [])
            return [r for r in found if not kind or r.get("kind") == kind] or None
        if path.endswith("iguide-resources.json"):
            return [r for r in data if r.get("_id") == key] or None
        if path.endswith("geodatasets.json"):
            provider, _, name = key.partition(".")
            record = data.get(provider, {}).get(name)
            return [record] if record else None
        if path.endswith("spectral-indices.json"):
            record = data["SpectralIndices"].get(key)
            return [record] if record else None
        if path.endswith(".json"):
            return [data[key]] if key in data else None
        if path.endswith(".ipynb"):
            notebook = json.loads(data)
            number = key.removeprefix("cell-")
            return [notebook] if number.isdigit() and int(number) < len(notebook["cells"]) else None
        return [data]

    def text(self, source):
        records = self.records(source)
        if records is None:
            return None
        return squash("\n".join(r if isinstance(r, str) else "\n".join(strings(r)) for r in records)).lower()


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for k, v in value.items():
            yield k
            yield from strings(v)
    elif isinstance(value, list):
        yield "".join(v for v in value if isinstance(v, str))
        for v in value:
            yield from strings(v)
    elif value is not None:
        yield str(value)


def longitudes(coordinates):
    if coordinates and isinstance(coordinates[0], (int, float)):
        yield coordinates[0]
    else:
        for c in coordinates:
            yield from longitudes(c)


def gazetteer_box(record):
    """The record's box; for an area over the antimeridian (a box of -180..180) the one across it, from its geometry:
    the widest gap between neighbouring longitudes is what the box leaves out."""
    west, south, east, north = record["bbox"]
    if east - west > 350 and abs(south) <= 89 and abs(north) <= 89:
        lon = sorted(set(longitudes(record["geometry"]["coordinates"])))
        gap, i = max((lon[i + 1] - lon[i], i) for i in range(len(lon) - 1))
        if gap > 90:
            west, east = lon[i + 1], lon[i]
    return [west, south, east, north]


def near(a, b, eps=1e-4):
    return len(a) == len(b) and all(abs(x - y) <= eps for x, y in zip(a, b))


def check_bbox(where, box):
    if not (isinstance(box, list) and len(box) == 4 and all(isinstance(x, (int, float)) for x in box)):
        return fail(where, "bbox is not four numbers")
    west, south, east, north = box
    if not (-180 <= west <= 180 and -180 <= east <= 180):
        fail(where, f"longitude out of range {box}")
    if not (-90 <= south <= north <= 90):
        fail(where, f"latitudes {box}")
    if west == east:
        fail(where, f"no width {box}")


def check_geometry(where, geometry):
    if geometry.get("type") not in ("Point", "Polygon", "MultiPolygon"):
        return fail(where, f"geometry type {geometry.get('type')}")
    if geometry["type"] == "Point":
        return None
    polygons = [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]
    for rings in polygons:
        for ring in rings:
            if len(ring) < 4 or ring[0] != ring[-1]:
                fail(where, "ring not closed")
            if any(not (-180 <= x <= 180 and -90 <= y <= 90) for x, y in ring):
                fail(where, "coordinates out of range")
    return None


def words(text):
    return len(text.split()) if not re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text) else len(text) // 2


def main():
    root = sys.argv[1]
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "elements.ndjson")
    src = Sources(root)
    elements = []
    with open(path, encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            try:
                elements.append(json.loads(line))
            except ValueError as e:
                fail(f"line {n}", e)
    ids = [e.get("id") for e in elements]
    for i, n in collections.Counter(ids).items():
        if n > 1:
            fail(i, "id twice")
    by_id = {e["id"]: e for e in elements}
    edges, languages, sentences = collections.Counter(), collections.Counter(), collections.Counter()
    crossing, polar, world, nofoot, polygons, bookmarked = [], [], [], [], [], []

    for e in elements:
        w = e["id"]
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", w) or len(w) > 60:
            fail(w, "id is not a short slug")
        unknown = [k for k in e if k not in FIELDS]
        if unknown:
            fail(w, f"unknown fields {unknown}")
        if [k for k in FIELDS if k in e] != list(e):
            fail(w, "keys are not in the order of the wire format")
        for k in ("kind", "title", "description", "license", "language", "contributor", "visibility", "extra"):
            if not e.get(k):
                fail(w, f"{k} is missing")
        if e["kind"] not in KINDS:
            fail(w, f"kind {e['kind']}")
        if e["visibility"] != "public":
            fail(w, "not public")
        if not isinstance(e.get("click_count"), int) or not 0 <= e["click_count"] <= 400:
            fail(w, "click_count")
        for a in e.get("authors", []):
            if set(a) - {"name", "orcid"} or not a.get("name"):
                fail(w, f"author {a}")
        if not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]+)*", e["language"]):
            fail(w, "language")
        languages[e["language"]] += 1
        unknown = [k for k in e.get("details", {}) if k not in DETAILS[e["kind"]]]
        if unknown:
            fail(w, f"unknown details {unknown}")
        for link in e.get("links", []):
            if set(link) - {"href", "rel", "type", "title"} or link.get("rel") not in LINK_RELS:
                fail(w, f"link {link}")
            if not re.match(r"https?://\S+$", link.get("href", "")):
                fail(w, f"href {link.get('href')}")
        if "doi" in e and not re.match(r"10\.\d{4,}/\S+$", e["doi"]):
            fail(w, f"doi {e['doi']}")
        n = words(e["description"])
        if not 70 <= n <= 160:
            fail(w, f"description has {n} words")
        for s in re.split(r"(?<=[.!?。])\s+", e["description"]):
            sentences[squash(s).lower()] += 1

        # edges
        for r in e.get("related", []):
            if set(r) != {"rel", "id"} or r["rel"] not in RELS:
                fail(w, f"edge {r}")
            elif r["id"] not in by_id or r["id"] == w:
                fail(w, f"edge to {r['id']}")
            edges[r["rel"]] += 1
        edges["authored-by"] += len(e.get("authors", []))
        edges["contributed-by"] += 1
        edges["bookmarked-by"] += len(e.get("bookmarked_by", []))
        if not re.fullmatch(r"Demo desk (Oceans|Cryosphere|Land|Cities|Teaching|Methods)", e["contributor"].get("name", "")):
            fail(w, "contributor is not a demo desk")
        for b in e.get("bookmarked_by", []):
            if set(b) != {"name"} or not re.fullmatch(r"Demo reader [A-F]", b["name"]):
                fail(w, f"bookmarker {b}")
        if e.get("bookmarked_by"):
            bookmarked.append(w)

        # time
        t = e.get("temporal", {})
        if set(t) - {"start", "end", "text"}:
            fail(w, "temporal fields")
        for k in ("start", "end"):
            if t.get(k) is not None and not TIME.match(t[k]):
                fail(w, f"{k} {t[k]}")
        if t.get("start") and t.get("end") and not t["start"].startswith("-") and t["end"] < t["start"][:len(t["end"])]:
            fail(w, "ends before it starts")

        # sources
        sources = e["extra"].get("source")
        sources = sources if isinstance(sources, list) else [sources]
        if set(e["extra"]) - {"source", "extent"}:
            fail(w, f"extra {sorted(e['extra'])}")
        texts, pages, eo_boxes, gaz_boxes, pdf = [], [], [], [], False
        for s in sources:
            if not isinstance(s, str) or not (s.startswith("shared/") or s.startswith("http")):
                fail(w, f"source {s}")
                continue
            if s.startswith("http"):
                pages.append(s)
                continue
            records = src.records(s)
            if records is None:
                fail(w, f"source not found: {s}")
                continue
            if "gazetteer" in s:
                if len(records) != 1:
                    fail(w, f"{len(records)} gazetteer records for {s}")
                gaz_boxes += [gazetteer_box(r) for r in records]
                continue
            pdf = pdf or s.split("#")[0].endswith(".pdf")
            texts.append(src.text(s))
            if EO in s:
                try:
                    eo_boxes.append([float(x) for x in records[0]["extent"]["spatial"]["bbox"][0]])
                except (TypeError, ValueError, KeyError, IndexError):
                    pass
        if texts and not (pdf and src.no_pdf):
            wanted = [("doi", e["doi"])] if "doi" in e else []
            wanted += [("href", x["href"]) for x in e.get("links", [])]
            wanted += [("author", a["name"]) for a in e.get("authors", [])] if not pages else []
            for what, value in wanted:
                value_l = squash(value).lower()
                if not any(value_l in t for t in texts) and not pages:
                    last = value_l.split()[-1].strip(".")
                    if what != "author" or not any(last in t for t in texts):
                        fail(w, f"{what} not in its source: {value}")
            if e["kind"] != "code" and not pages:
                if not any(squash(e["title"]).lower().strip(".") in t.replace("’", "'").replace("{year}", "") or
                           squash(e["title"]).lower() in t for t in texts):
                    fail(w, f"title not in its source: {e['title']}")

        # place
        sp = e.get("spatial", {})
        if set(sp) - {"geometry", "bbox", "places"}:
            fail(w, "spatial fields")
        if "geometry" in sp:
            check_geometry(w, sp["geometry"])
            polygons.append(w)
        box = sp.get("bbox")
        if box is None and "geometry" not in sp:
            nofoot.append(w)
        if box is not None:
            check_bbox(w, box)
            if box[0] > box[2]:
                crossing.append(w)
                if "extent" not in e["extra"]:
                    fail(w, "crosses the antimeridian without an extent note")
            if box[1] <= -84 or box[3] >= 89 and not (box[1] <= -60 and box[2] - box[0] > 350):
                if not (box[1] <= -56 and box[3] >= 60):
                    polar.append(w)
            if box[2] - box[0] > 350 and box[1] <= -50 and box[3] >= 60:
                world.append(w)
            if not any(near(box, b) for b in eo_boxes + gaz_boxes) and "extent" not in e["extra"]:
                fail(w, f"bbox {box} is neither that of its source nor explained in extra.extent")

    for s, n in sentences.items():
        if n > 1 and len(s) > 25:
            fail("descriptions", f"{n} times: {s[:80]}")

    # lineage: the longest chain along derived-from, in elements
    def depth(i, seen=()):
        nxt = [r["id"] for r in by_id[i].get("related", []) if r["rel"] == "derived-from" and r["id"] in by_id]
        if i in seen:
            fail(i, "derived-from runs in a circle")
            return 0
        return 1 + max((depth(n, (*seen, i)) for n in nxt), default=0)

    chains = [i for i in by_id if depth(i) >= 3]
    used = collections.defaultdict(set)
    for e in elements:
        for r in e.get("related", []):
            used[e["id"]].add(r["id"])
            used[r["id"]].add(e["id"])
    two_hops = [(d["id"], n["id"], p["id"]) for d in elements if d["kind"] == "dataset"
                for n in (by_id[r["id"]] for r in d.get("related", []) if r["rel"] == "used-in" and r["id"] in by_id)
                if n["kind"] == "notebook"
                for p in (by_id[i] for i in used[n["id"]] if i in by_id) if p["kind"] == "publication"]

    kinds = collections.Counter(e["kind"] for e in elements)
    foreign = {k: n for k, n in languages.items() if k != "en"}

    def need(what, have, least):
        if have < least:
            fail("counts", f"{what}: {have}, at least {least} are needed")

    need("elements", len(elements), 165)
    for k, n in NEEDED.items():
        need(k, kinds[k], n)
    for r in RELS:
        need(r, edges[r], 15)
    need("bookmarked elements", len(bookmarked), 20)
    need("lineage chains of three", len(chains), 3)
    need("publications two hops from a dataset", len(two_hops), 5)
    need("antimeridian", len(crossing), 5)
    need("polar footprints", len(polar), 4)
    need("polygon geometries", len(polygons), 3)
    need("without footprint", len(nofoot), 10)
    need("not English", sum(foreign.values()), 8)
    if elements and len(world) > 0.4 * len(elements):
        fail("counts", f"worldwide footprints: {len(world)} of {len(elements)}")

    print(f"{len(elements)} elements")
    print("kinds        ", dict(kinds))
    print("edges        ", dict(edges))
    print("languages    ", dict(languages))
    print("antimeridian ", len(crossing), crossing)
    print("polar        ", len(polar), polar)
    print("worldwide    ", len(world))
    print("no footprint ", len(nofoot))
    print("polygons     ", len(polygons))
    print("bookmarked   ", len(bookmarked))
    print("chains >= 3  ", len(chains), chains[:8])
    print("two hops     ", len(two_hops), two_hops[:3])
    if src.no_pdf:
        print("pdftotext is missing: DOIs, titles and authors of PDF sources were not checked")
    for x in errors:
        print("ERROR", x)
    print("failed" if errors else "ok", len(errors))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
