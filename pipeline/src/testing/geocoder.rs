//! What every geocoder does.

use crate::{
    model::place::Place,
    ports::{Geocoder, geocoder::PlaceContext},
};

/// # Panics
/// Where the geocoder does not conform.
pub async fn conform(geocoder: &dyn Geocoder) {
    names_mean_what_most_would_mean(geocoder).await;
    qualifiers_choose(geocoder).await;
    the_text_chooses(geocoder).await;
    hinted_countries_pull(geocoder).await;
    ambiguous_names_have_several_meanings(geocoder).await;
    what_is_not_known_is_not_found(geocoder).await;
    spelling_does_not_matter(geocoder).await;
    boxes_know_the_antimeridian(geocoder).await;
    places_are_found_again_with_their_area(geocoder).await;
    texts_are_read(geocoder).await;
    what_is_no_place_is_left_alone(geocoder).await;
    nothing_typed_breaks_it(geocoder).await;
}

async fn candidates(geocoder: &dyn Geocoder, name: &str, text: &str) -> Vec<Place> {
    let context = PlaceContext { text: text.to_owned(), countries: Vec::new() };
    geocoder.candidates(name, &context, 20).await.unwrap()
}

async fn first(geocoder: &dyn Geocoder, name: &str, text: &str) -> Place {
    let mut candidates = candidates(geocoder, name, text).await;
    assert!(!candidates.is_empty(), "{name} is not known");
    candidates.swap_remove(0)
}

/// Name, kind and country of the first meaning.
async fn check_first(geocoder: &dyn Geocoder, name: &str, text: &str, kind: &str, country: &str) {
    let place = first(geocoder, name, text).await;
    let found = (place.kind.as_str(), place.countries.first().map_or("", String::as_str));
    assert_eq!(found, (kind, country), "{name} in `{text}`: {} because {}", place.label, place.because);
    assert!(!place.because.is_empty() && !place.label.is_empty(), "{name}: {place:?}");
}

async fn names_mean_what_most_would_mean(geocoder: &dyn Geocoder) {
    let cases = [
        ("Germany", "country", "DE"),
        ("Georgia", "country", "GE"),
        ("UK", "country", "GB"),
        ("USA", "country", "US"),
        ("France", "country", "FR"),
        ("Texas", "region", "US"),
        ("Ontario", "region", "CA"),
        ("Bavaria", "region", "DE"),
        ("Paris", "city", "FR"),
        ("London", "city", "GB"),
        ("Nairobi", "city", "KE"),
        ("New York City", "city", "US"),
        ("Mexico City", "city", "MX"),
        ("Kansas City", "city", "US"),
        ("Laurel County", "county", "US"),
        ("Amazon", "river", ""),
        ("Amazon Basin", "basin", ""),
        ("Mediterranean Sea", "sea", ""),
        ("Mediterranean", "sea", ""),
        ("Pacific Ocean", "ocean", ""),
        ("Gulf of Mexico", "gulf", ""),
        ("Bay of Bengal", "bay", ""),
        ("Lake Victoria", "lake", ""),
        ("Victoria Lake", "lake", ""),
        ("Sahara", "desert", ""),
        ("Himalayas", "mountains", ""),
        ("Iceland", "country", "IS"),
        ("South America", "continent", ""),
    ];
    for (name, kind, country) in cases {
        check_first(geocoder, name, "", kind, country).await;
    }
}

async fn qualifiers_choose(geocoder: &dyn Geocoder) {
    let cases = [
        ("London, Ontario", "city", "CA"),
        ("London, Kentucky", "city", "US"),
        ("London, ON, Canada", "city", "CA"),
        ("Paris, Texas", "city", "US"),
        ("Paris, TX", "city", "US"),
        ("Georgia (country)", "country", "GE"),
        ("Georgia (state)", "region", "US"),
        ("Georgia, United States", "region", "US"),
        ("Victoria (lake)", "lake", ""),
        ("Victoria, Australia", "region", "AU"),
        ("the city of Berlin", "city", "DE"),
        ("state of New York", "region", "US"),
    ];
    for (name, kind, country) in cases {
        check_first(geocoder, name, "", kind, country).await;
    }
    let ontario = first(geocoder, "London, Ontario", "").await;
    assert!(ontario.because.contains("Ontario"), "{}", ontario.because);
}

async fn the_text_chooses(geocoder: &dyn Geocoder) {
    let cases = [
        ("Georgia", "Land cover around Atlanta and Savannah in Georgia", "region", "US"),
        ("Georgia", "Glaciers of Georgia between Tbilisi and Batumi", "country", "GE"),
        ("London", "Air quality in London and Toronto, Ontario", "city", "CA"),
        ("Paris", "Dallas, Houston and Paris, all in Texas", "city", "US"),
        ("Birmingham", "Steel works in Birmingham, Alabama", "city", "US"),
        ("Birmingham", "Canals of Birmingham, Wolverhampton and Coventry", "city", "GB"),
    ];
    for (name, text, kind, country) in cases {
        check_first(geocoder, name, text, kind, country).await;
    }
}

async fn hinted_countries_pull(geocoder: &dyn Geocoder) {
    let context = PlaceContext { text: String::new(), countries: vec!["VE".to_owned()] };
    let candidates = geocoder.candidates("Valencia", &context, 5).await.unwrap();
    assert_eq!(candidates[0].countries, ["VE"], "{}", candidates[0].label);
}

async fn ambiguous_names_have_several_meanings(geocoder: &dyn Geocoder) {
    for (name, kinds) in [
        ("Georgia", ["country", "region"]),
        ("Amazon", ["river", "basin"]),
        ("Victoria", ["region", "lake"]),
        ("New York", ["region", "city"]),
    ] {
        let found = geocoder.candidates(name, &PlaceContext::default(), 60).await.unwrap();
        for kind in kinds {
            assert!(found.iter().any(|place| place.kind == kind), "{name} has no {kind}");
        }
        let mut ids: Vec<&str> = found.iter().map(|place| place.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), found.len(), "{name}: a place comes once");
    }
    assert_eq!(geocoder.candidates("Springfield", &PlaceContext::default(), 3).await.unwrap().len(), 3);
}

async fn what_is_not_known_is_not_found(geocoder: &dyn Geocoder) {
    for name in ["Xqzwv", "", "   ", "Paris, Xqzwv", "Berlin (lake)", "!?", "the"] {
        assert_eq!(candidates(geocoder, name, "").await, [], "{name}");
    }
    assert_eq!(geocoder.place("geonames:999999999999").await.unwrap(), None);
    assert_eq!(geocoder.place("").await.unwrap(), None);
}

async fn spelling_does_not_matter(geocoder: &dyn Geocoder) {
    let same = [
        ["Germany", "GERMANY", "Deutschland", "Allemagne", "ドイツ"],
        ["Japan", "japan", "日本", "Japón", "Япония"],
        ["Mexico", "México", "mexico", "Mexique", "メキシコ"],
        ["USA", "U.S.A.", "United States", "the United States", "United States of America"],
        ["Saint Louis", "St. Louis", "St Louis", "saint louis", "SAINT LOUIS"],
        ["São Paulo, Brazil", "Sao Paulo, Brazil", "sao paulo, brazil", "SÃO PAULO, BRAZIL", "São Paulo, Brasil"],
    ];
    for names in same {
        let expected = first(geocoder, names[0], "").await.id;
        for name in names {
            assert_eq!(first(geocoder, name, "").await.id, expected, "{name}");
        }
    }
}

async fn boxes_know_the_antimeridian(geocoder: &dyn Geocoder) {
    let crossing = [
        "Fiji",
        "Russia",
        "United States",
        "Alaska",
        "New Zealand",
        "Kiribati",
        "Chukotka",
        "Bering Sea",
        "Chukchi Sea",
        "Pacific Ocean",
        "Aleutian Islands",
    ];
    for name in crossing {
        let bbox = first(geocoder, name, "").await.bbox;
        assert!(bbox.crosses_antimeridian() && bbox.contains_point(180.0, bbox.centre().1), "{name}: {bbox}");
        assert!(bbox.width() < 250.0, "{name}: {bbox}");
        assert!(!bbox.contains_point(10.0, bbox.centre().1), "{name}: {bbox}");
    }
    let inside = [
        ("Iceland", -19.0, 65.0),
        ("Texas", -99.0, 31.0),
        ("Lake Victoria", 33.0, -1.0),
        ("Nairobi", 36.82, -1.29),
        ("Antarctica", 0.0, -85.0),
    ];
    for (name, longitude, latitude) in inside {
        let bbox = first(geocoder, name, "").await.bbox;
        assert!(bbox.contains_point(longitude, latitude) && !bbox.crosses_antimeridian(), "{name}: {bbox}");
    }
}

async fn places_are_found_again_with_their_area(geocoder: &dyn Geocoder) {
    for (name, has_area) in [("Fiji", true), ("Texas", true), ("Lake Victoria", true), ("Nile", true), ("Nairobi", false)] {
        let found = first(geocoder, name, "").await;
        assert_eq!(found.geometry, None, "{name}: candidates come without geometry");
        let again = geocoder.place(&found.id).await.unwrap().unwrap();
        assert_eq!((&again.label, again.bbox, again.centroid), (&found.label, found.bbox, found.centroid), "{name}");
        assert_eq!(again.geometry.is_some(), has_area, "{name}");
    }
}

async fn texts_are_read(geocoder: &dyn Geocoder) {
    let cases = [
        ("Which datasets cover the Bering Sea near Alaska?", vec![("Bering Sea", "sea"), ("Alaska", "region")]),
        ("flood maps of bangladesh", vec![("bangladesh", "country")]),
        ("MODIS MOD13Q1.061 NDVI over London, Ontario", vec![("London, Ontario", "city")]),
        ("Nile delta, Egypt", vec![("Nile delta", "delta"), ("Egypt", "country")]),
        ("elevation data for the U.S.", vec![("U.S.", "country")]),
        ("日本の洪水", vec![("日本", "country")]),
        ("Brazil's forests and São Paulo's air", vec![("Brazil", "country"), ("São Paulo", "region")]),
        ("sea ice in the arctic ocean", vec![("arctic ocean", "ocean")]),
    ];
    for (text, expected) in cases {
        let mentions = geocoder.mentions(text).await.unwrap();
        let found: Vec<(&str, &str)> =
            mentions.iter().map(|mention| (mention.name.as_str(), mention.candidates[0].kind.as_str())).collect();
        assert_eq!(found, expected, "{text}");
        for mention in &mentions {
            assert_eq!(text.get(mention.start..mention.end), Some(mention.name.as_str()), "{text}");
        }
        assert!(mentions.windows(2).all(|pair| pair[0].end <= pair[1].start), "{text}: in order, apart");
    }
}

async fn what_is_no_place_is_left_alone(geocoder: &dyn Geocoder) {
    let texts = [
        "Reading the data: most users find it nice",
        "Sentinel-2 and Landsat 8 surface reflectance",
        "us_counties.geojson /paris/index.html london@example.org MOD13Q1",
        "How do I join a table of census tracts?",
        "Map of the month",
        "IN OR ME OK HI",
        "",
    ];
    for text in texts {
        let mentions = geocoder.mentions(text).await.unwrap();
        let names: Vec<&str> = mentions.iter().map(|mention| mention.name.as_str()).collect();
        assert_eq!(names, Vec::<&str>::new(), "{text}");
    }
}

async fn nothing_typed_breaks_it(geocoder: &dyn Geocoder) {
    let long = "Paris, Texas and ".repeat(2_000);
    for text in [
        "/foo",
        "a:b",
        "\"open",
        "(x",
        "x)",
        "(",
        ")",
        ",",
        ",,,",
        "*",
        "\\",
        "🌍",
        "\u{301}",
        "U.",
        ".U",
        "St.",
        "’s",
        "'",
        "東京,日本",
        long.as_str(),
    ] {
        candidates(geocoder, text, text).await;
        geocoder.mentions(text).await.unwrap();
    }
}
