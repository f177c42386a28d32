//! Keyword retrieval.

use super::{author, dataset, described, fill, ids, keyword, person, sorted_ids};
use crate::{
    model::{
        element::{Details, Element, Kind, Link, LinkRel, Spatial},
        query::Filter,
    },
    ports::SearchIndex,
};

pub async fn words_are_found_in_every_field(index: &dyn SearchIndex) {
    let element = Element {
        authors: vec![author("Wangari Maathai")],
        tags: vec!["reforestation".to_owned()],
        description: "Canopy *height* from lidar.".to_owned(),
        spatial: Some(Spatial { geometry: None, bbox: None, places: vec!["Aberdare Range".to_owned()] }),
        contributor: person("Green Belt"),
        details: Details {
            venue: Some("Journal of Arboriculture".to_owned()),
            functions: vec!["zonal_statistics".to_owned()],
            imports: vec!["rasterio".to_owned()],
            ..Details::default()
        },
        ..dataset("e1", "Seedlings of the highlands")
    };
    fill(index, &[element, dataset("e2", "Unlike")]).await;
    for text in
        ["seedling", "MAATHAI", "reforestation", "canopy height", "aberdare", "belt", "arboriculture", "zonal", "rasterio"]
    {
        assert_eq!(ids(&keyword(index, text).await), ["e1"], "{text}");
    }
    assert_eq!(keyword(index, "glacier").await.total, 0);
}

pub async fn rare_words_and_titles_rank_first(index: &dyn SearchIndex) {
    let mut elements: Vec<Element> =
        (0..20).map(|number| described(&format!("m{number:02}"), "A map", "A map of water and land.")).collect();
    elements.push(described("lake", "A map", "A map of water and isotopes of a lake."));
    elements.push(described("title", "Permafrost", "Ground that stays frozen for years, with a table of temperatures."));
    elements.push(described(
        "text",
        "Frozen ground",
        "Permafrost is what stays frozen for years: here is a table of temperatures.",
    ));
    fill(index, &elements).await;
    assert_eq!(ids(&keyword(index, "map of water isotopes").await)[0], "lake");
    assert_eq!(ids(&keyword(index, "permafrost").await), ["title", "text"]);
    let few = index.keyword("map", &Filter::default(), 5).await.unwrap();
    assert_eq!((few.hits.len(), few.total), (5, 21));
    assert!(few.hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
}

pub async fn phrases_and_minus_work(index: &dyn SearchIndex) {
    let elements = [
        described("a", "Ice", "The extent of sea ice in the Arctic."),
        described("b", "Ice", "Ice that drifts to sea from the Arctic."),
        described("c", "Ice", "The extent of land ice in Greenland."),
    ];
    fill(index, &elements).await;
    let cases: &[(&str, &[&str])] = &[
        ("\"sea ice\"", &["a"]),
        ("“sea ice”", &["a"]),
        ("\"ice sea\"", &[]),
        ("\"extent of\" ice", &["a", "c"]),
        ("ice -greenland", &["a", "b"]),
        ("ice -\"sea ice\"", &["b", "c"]),
        ("\"sea ice\" -arctic", &[]),
        ("-greenland", &[]),
        ("\"sea ice", &["a", "b", "c"]),
        ("sea - ice", &["a", "b", "c"]),
    ];
    for (text, expected) in cases {
        assert_eq!(sorted_ids(&keyword(index, text).await), *expected, "{text}");
    }
}

/// Whatever was typed, the words in it are found, and what has no words finds nothing.
pub async fn nothing_typed_is_syntax(index: &dyn SearchIndex) {
    fill(index, &[described("foo", "Foo", "A bar and a baz."), dataset("other", "Unlike")]).await;
    let with_foo = [
        "/foo",
        "foo:bar",
        "title:foo",
        "\"foo",
        "foo\"",
        "(foo",
        "foo)",
        "foo AND",
        "AND foo",
        "NOT foo",
        "OR foo",
        "foo*",
        "*foo",
        "foo~2",
        "foo^3",
        "foo\\",
        "\\foo",
        "[foo TO bar]",
        "{foo}",
        "foo || bar",
        "foo && bar",
        "+foo",
        "!foo",
        "foo 🌍",
        "🌍foo",
        "<foo>",
        "foo; DROP TABLE x",
        "foo\0",
        "foo\n\r\t",
        "{'match':{'foo':1}}",
        "foo -",
        "-- foo",
        "foo %",
        "foo'",
        "`foo`",
        "foo\u{202e}",
    ];
    for text in with_foo {
        assert_eq!(ids(&keyword(index, text).await), ["foo"], "{text}");
    }
    let without_words = [
        "",
        " ",
        "*",
        "?",
        "🌍",
        "\"\"",
        "\"",
        "-",
        "--",
        "\\",
        "(",
        ")(",
        ":",
        "/",
        "\"!\"",
        "-\"",
        "+ - && ||",
        "\0",
        "\u{301}",
    ];
    for text in without_words {
        assert_eq!(keyword(index, text).await.total, 0, "{text}");
    }
    let long = format!("{} foo", "wörd ".repeat(2_000));
    assert!(long.len() > 10_000);
    let many_words: String = (0..2_000).map(|number| format!("w{number} ")).collect();
    for text in [long, many_words, "x".repeat(10_000), "\"".repeat(10_000), "-a".repeat(5_000), "(".repeat(10_000)] {
        index.keyword(&text, &Filter::default(), 10).await.unwrap();
    }
}

pub async fn accents_fold_and_exact_ones_rank_first(index: &dyn SearchIndex) {
    let elements = [
        described("accented", "Zürich", "Flächen und Höhen"),
        described("plain", "Zurich", "Flachen und Hohen"),
        dataset("oresund", "Øresund bathymetry"),
        dataset("lodz", "Łódź land use"),
        dataset("strasse", "Straßen im Überblick"),
        dataset("aero", "Ærø shoreline"),
    ];
    fill(index, &elements).await;
    let cases: &[(&str, &[&str])] = &[
        ("zürich", &["accented", "plain"]),
        ("zurich", &["plain", "accented"]),
        ("ZU\u{308}RICH", &["accented", "plain"]),
        ("Höhen", &["accented", "plain"]),
        ("hohen", &["plain", "accented"]),
        ("oresund", &["oresund"]),
        ("ØRESUND", &["oresund"]),
        ("lodz", &["lodz"]),
        ("Łodz", &["lodz"]),
        ("strassen", &["strasse"]),
        ("uberblick", &["strasse"]),
        ("aero", &["aero"]),
        ("ærø", &["aero"]),
    ];
    for (text, expected) in cases {
        assert_eq!(ids(&keyword(index, text).await), *expected, "{text}");
    }
}

pub async fn unspaced_scripts_are_found_by_parts(index: &dyn SearchIndex) {
    let elements = [
        described("bay", "東京湾の水温", "東京湾における海水温の観測"),
        dataset("river", "长江流域土地利用"),
        dataset("seoul", "서울특별시 지도"),
        dataset("lake", "湖 map"),
    ];
    fill(index, &elements).await;
    let cases: &[(&str, &[&str])] = &[
        ("東京", &["bay"]),
        ("東京湾", &["bay"]),
        ("水温", &["bay"]),
        ("湾", &["bay"]),
        ("\"海水温\"", &["bay"]),
        ("\"海温\"", &[]),
        ("土地利用", &["river"]),
        ("流域", &["river"]),
        ("특별시", &["seoul"]),
        ("지도", &["seoul"]),
        ("湖", &["lake"]),
    ];
    for (text, expected) in cases {
        assert_eq!(ids(&keyword(index, text).await), *expected, "{text}");
    }
}

pub async fn codes_are_found_in_every_dress(index: &dyn SearchIndex) {
    let link = |href: &str| Link { href: href.to_owned(), rel: LinkRel::Download, media_type: None, title: None };
    let often = "MOD13Q1.061 and MOD13Q1.061 again; S2_SR_HARMONIZED, sentinel-2-l2a, sentinel-2-l2a; world_cities.csv, world_cities.csv. ".repeat(3);
    let elements = [
        described(
            "modis",
            "MOD13Q1.061 Terra Vegetation Indices 16-Day Global 250m",
            "Vegetation indices every sixteen days, with a quality layer.",
        ),
        described("gee", "MODIS/061/MOD13Q1", "The same in another catalogue."),
        described("other-modis", "MOD13Q2.061 Terra", "Another product."),
        described("S2_SR_HARMONIZED", "Surface reflectance", "Level 2A images."),
        described("s2", "Sentinel images", "Level 2A images on a planet of computers, called sentinel-2-l2a there."),
        Element {
            links: vec![link("https://example.org/data/world_cities.csv?raw=1")],
            ..dataset("cities", "Places where people live")
        },
        described("survey", "A survey of products", &often),
    ];
    fill(index, &elements).await;
    let first: &[(&str, &str)] = &[
        ("MOD13Q1.061", "modis"),
        ("mod13q1.061", "modis"),
        ("MOD13Q1-061", "modis"),
        ("MOD13Q1_061", "modis"),
        ("MOD13Q1 061", "modis"),
        ("\"MOD13Q1.061\"", "modis"),
        ("where is MOD13Q1.061?", "modis"),
        ("MODIS/061/MOD13Q1", "gee"),
        ("modis 061 mod13q1", "gee"),
        ("MOD13Q2", "other-modis"),
        ("S2_SR_HARMONIZED", "S2_SR_HARMONIZED"),
        ("s2-sr-harmonized", "S2_SR_HARMONIZED"),
        ("world_cities.csv", "cities"),
        ("world-cities.csv", "cities"),
    ];
    for (text, expected) in first {
        assert_eq!(ids(&keyword(index, text).await)[0], *expected, "{text}");
    }
    for text in ["MOD13Q1", "mod13q1"] {
        let list = keyword(index, text).await;
        let mut own = ids(&list)[..2].to_vec();
        own.sort_unstable();
        assert_eq!(own, ["gee", "modis"], "{text}");
    }
    for text in ["sentinel-2-l2a", "Sentinel2 L2A", "sentinel_2_l2a", "sentinel-2", "sentinel2"] {
        assert!(ids(&keyword(index, text).await).contains(&"s2"), "{text}");
    }
}

pub async fn dois_are_found_in_every_dress(index: &dyn SearchIndex) {
    let doi = "10.1016/s0034-4257(01)00190-0";
    let about = format!("It builds on https://doi.org/{doi} and cites {doi}, {doi}, {doi}.");
    let elements = [
        Element { doi: Some(doi.to_owned()), ..Element::new("own", Kind::Publication, "Indices of vegetation") },
        described("citing", "A follow-up", &about),
        Element { doi: Some("10.5067/modis/mod13q1.061".to_owned()), ..dataset("modis", "Vegetation every sixteen days") },
        described("no-doi", "10 papers, 1016 pages", "S0034 4257 01 00190 0 doi https org"),
    ];
    fill(index, &elements).await;
    let dresses = [
        doi,
        "10.1016/S0034-4257(01)00190-0",
        "doi:10.1016/S0034-4257(01)00190-0",
        "DOI: 10.1016/S0034-4257(01)00190-0",
        "https://doi.org/10.1016/S0034-4257(01)00190-0",
        "http://dx.doi.org/10.1016/S0034-4257(01)00190-0",
        "doi.org/10.1016/s0034-4257(01)00190-0",
        "https://doi.org/10.1016%2FS0034-4257%2801%2900190-0",
        "10.1016%2Fs0034-4257(01)00190-0",
        "10.1016/S0034-4257(01)00190-0.",
        "10.1016/S0034-4257(01)00190-0,",
        "(10.1016/S0034-4257(01)00190-0)",
        "\"10.1016/S0034-4257(01)00190-0\"",
        "<https://doi.org/10.1016/S0034-4257(01)00190-0>",
        "  10.1016/S0034-4257(01)00190-0  ",
    ];
    for dress in dresses {
        assert_eq!(ids(&keyword(index, dress).await), ["own", "citing"], "{dress}");
    }
    assert_eq!(ids(&keyword(index, "vegetation doi:10.5067/MODIS/MOD13Q1.061").await)[0], "modis");
    assert_eq!(keyword(index, "10.9999/nobody.has.this").await.total, 0);
}
