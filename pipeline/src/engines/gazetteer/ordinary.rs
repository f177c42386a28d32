//! Place names that are ordinary words first, names of persons, or names of what our users search for: never taken for a place on
//! their own. Part is hand-kept; part are the names that SciFact's abstracts and the descriptions of earth-observation collections write
//! in lower case at least three times and in four of five cases.

/// Sorted, folded.
const ORDINARY: &[&str] = &[
    "act", "adams", "advance", "agar", "agency", "agr", "agro", "aim", "air", "airport", "al", "albert", "alexander", "alice",
    "allen", "allo", "along", "alpha", "alpine", "alter", "american", "anchorage", "angle", "angles", "ann", "anna", "apache",
    "apes", "apex", "apo", "archer", "are", "area", "areal", "arena", "arthur", "as", "ash", "ask", "assumption", "at", "ate",
    "atlas", "august", "aura", "aurora", "axis", "back", "bailey", "baker", "banana", "band", "bank", "banks", "bar", "bare",
    "barge", "bari", "bark", "barnes", "basic", "bat", "bath", "bay", "beach", "bear", "beaver", "beer", "begun", "bell",
    "ben", "bennett", "bent", "best", "bias", "big", "bile", "black", "blue", "bolus", "bona", "bond", "bone", "born",
    "boundary", "bow", "box", "brains", "brake", "branch", "bridge", "bright", "broad", "brooks", "brown", "browning",
    "brush", "bryant", "burden", "bureau", "burns", "burst", "bush", "but", "butler", "cada", "cage", "calcium", "camp",
    "campbell", "can", "canal", "capital", "carbon", "carbonate", "care", "carter", "cascade", "cascades", "cave", "cedar",
    "center", "central", "centre", "century", "chamber", "chambers", "change", "channel", "charge", "charles", "christmas",
    "church", "citrus", "city", "clara", "clark", "clay", "clones", "clot", "cloud", "co", "coal", "coast", "cocoa",
    "coleman", "college", "collins", "colon", "combine", "come", "comfort", "commerce", "conception", "concrete", "condom",
    "cone", "confluence", "congress", "conservation", "continental", "conversion", "cook", "cool", "cooper", "copper",
    "coral", "corn", "cornea", "corona", "corpus", "cotton", "council", "court", "cox", "coxsackie", "crest", "cross",
    "crystal", "cut", "dam", "dan", "date", "david", "day", "deal", "del", "delle", "delta", "deposit", "der", "des", "diaz",
    "die", "divide", "do", "don", "donna", "door", "dosing", "down", "downtown", "drew", "driver", "drug", "dry", "dual",
    "due", "eagle", "ear", "early", "earth", "east", "eastern", "echo", "economy", "eddy", "eden", "edward", "edwards",
    "effort", "egg", "elba", "elizabeth", "end", "energy", "enter", "enterprise", "equator", "era", "est", "ester", "evans",
    "ever", "evergreen", "exploits", "export", "eye", "falls", "far", "fate", "fell", "fertile", "flint", "flood", "flora",
    "fly", "forest", "forks", "formosa", "forth", "fossil", "foster", "fountain", "fox", "freedom", "friendship", "from",
    "frome", "frost", "fully", "galena", "gap", "garden", "gas", "gel", "gene", "genes", "germinal", "give", "glacier",
    "gland", "globe", "gold", "golden", "grace", "grand", "granite", "grass", "gray", "green", "grey", "griffin", "grove",
    "gulf", "hand", "harbor", "hard", "harmony", "hayes", "hazard", "healing", "heard", "helen", "helper", "henderson",
    "henry", "herald", "heritage", "hill", "hind", "hit", "home", "homo", "hood", "hope", "hot", "howard", "hub", "hughes",
    "hull", "human", "hurricane", "ie", "ill", "in", "independence", "industry", "intercourse", "iron", "is", "island",
    "james", "jasper", "jenkins", "job", "joseph", "julia", "junction", "justice", "kelly", "kill", "king", "lac", "lack",
    "lag", "lake", "lakes", "lamin", "lat", "laura", "law", "laws", "lead", "leader", "lee", "lend", "lens", "leonard", "les",
    "lessen", "leu", "level", "lever", "lewis", "liberal", "liberty", "lime", "limit", "linc", "lincoln", "line", "list",
    "liter", "locking", "lod", "loess", "log", "lon", "lone", "long", "loop", "loss", "lot", "love", "low", "lyse", "made",
    "maize", "major", "man", "manage", "mania", "many", "march", "margaret", "maria", "maritime", "mark", "market", "marks",
    "martin", "mary", "mason", "mass", "may", "maze", "media", "medulla", "men", "mercury", "mere", "meta", "metro", "mile",
    "miles", "mill", "mine", "mineral", "minor", "mission", "mitchell", "mole", "mono", "more", "morgan", "morris",
    "mosquito", "moss", "most", "much", "murphy", "name", "nancy", "needles", "nelson", "never", "new", "newborn", "nice",
    "nine", "no", "noisy", "none", "nor", "normal", "north", "northeast", "northeastern", "northern", "northward",
    "northwest", "ocean", "of", "off", "officer", "olds", "on", "one", "onset", "opal", "opportunity", "or", "oral", "orange",
    "orient", "outer", "outlook", "ovale", "over", "pace", "page", "paper", "paradise", "paramount", "park", "parker",
    "pathfinder", "patterson", "paul", "pay", "peace", "pearl", "peculiar", "peer", "per", "peri", "perry", "person", "peter",
    "petroleum", "philip", "phillips", "pill", "pine", "pioneer", "plain", "plains", "plaque", "plate", "plateau", "point",
    "polar", "police", "polo", "pool", "pore", "port", "portal", "poses", "post", "postal", "powell", "power", "prairie",
    "pre", "price", "principal", "progress", "prospect", "proven", "purchase", "put", "pyramid", "que", "race", "rain",
    "rapid", "raymond", "reading", "receiving", "red", "reform", "reliance", "reserve", "reservoir", "rest", "retreat",
    "rice", "rich", "richardson", "ridge", "rise", "rivers", "robert", "roberts", "robins", "rock", "rogers", "roles", "root",
    "rose", "ross", "roy", "rule", "run", "russell", "sac", "sale", "sales", "saline", "salt", "sam", "same", "sand",
    "sanders", "santa", "save", "section", "sector", "see", "seen", "sema", "semi", "send", "sentinel", "sera", "set",
    "shaft", "shaping", "sharp", "shoreline", "shortens", "shut", "side", "simian", "simon", "since", "singleton", "slope",
    "snow", "so", "sole", "soma", "south", "southern", "southwest", "southwestern", "soy", "spike", "split", "spoken",
    "spray", "spring", "springs", "stains", "star", "start", "steele", "stephen", "sterling", "stewart", "still", "stone",
    "strand", "street", "strong", "success", "summit", "sunrise", "sunshine", "superior", "sur", "surprise", "swan", "tab",
    "tau", "taylor", "tea", "temple", "termini", "terminus", "than", "them", "thermal", "thomas", "tiling", "tilt", "time",
    "to", "tom", "tone", "tongue", "tool", "tornado", "tour", "tower", "train", "trial", "tribune", "trinity", "trip",
    "trout", "tube", "tundra", "turn", "turner", "un", "une", "union", "unity", "university", "valley", "var", "vary", "vaso",
    "venus", "vice", "victor", "volcano", "walker", "wall", "walls", "ward", "warren", "watson", "wave", "ways", "we",
    "welcome", "well", "wells", "west", "western", "white", "wilder", "will", "wind", "wood", "woods", "worms", "worth",
    "wright", "wrist", "you", "young",
];

pub(super) fn is_ordinary(key: &str) -> bool {
    key.chars().count() < 2 || ORDINARY.binary_search(&key).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_can_be_searched() {
        assert!(super::ORDINARY.is_sorted());
    }
}
