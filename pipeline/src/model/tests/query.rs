use proptest::prelude::*;

use crate::model::{
    bbox::BBox,
    cursor::Cursor,
    element::Kind,
    place::{Area, AreaFilter, Relation},
    query::{Filter, Method, SearchQuery, Sort},
};

fn read(text: &str) -> SearchQuery {
    SearchQuery::from_query_string(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

#[test]
fn forms_and_addresses_say_the_same() {
    let cases = [
        ("?q=flood&bbox=&kind=&datetime=", "q=flood"),
        ("q=%20flood%20", "q=flood"),
        ("kind=map,dataset&kind=map", "kind=map&kind=dataset"),
        ("method=spatial,keyword", "method=spatial&method=keyword"),
        ("tag=a%2Cb&tag=c", "tag=a%2Cb&tag=c"),
        ("bbox_west=170&bbox_south=60&bbox_east=-170&bbox_north=70", "bbox=170%2C60%2C-170%2C70"),
        ("from=2015&to=2016-03", "datetime=2015%2F2016-03"),
        ("from=2015", "datetime=2015%2F.."),
        ("to=2015", "datetime=..%2F2015"),
        ("datetime=2015", "datetime=2015"),
        ("relation=within&bbox=0,0,1,1", "bbox=0%2C0%2C1%2C1&relation=within"),
        ("relation=intersects&sort=relevance&place=Fiji", "place=Fiji"),
    ];
    for (input, canonical) in cases {
        assert_eq!(read(input).to_query_string(), canonical, "{input}");
    }
}

#[test]
fn every_fault_is_named() {
    let cases = [
        ("limit=-1", "limit", "from 1 to 100"),
        ("limit=0", "limit", "from 1 to 100"),
        ("limit=1000000", "limit", "next_cursor"),
        ("limit=ten", "limit", "from 1 to 100"),
        ("size=-1", "size", "not a parameter"),
        ("from=1000000", "datetime", "not a date"),
        ("offset=20", "offset", "not a parameter"),
        ("bbox=0,0,10", "bbox", "four numbers"),
        ("bbox_west=1&bbox_south=2", "bbox", "all four"),
        ("bbox_west=1&bbox_south=2&bbox_east=x&bbox_north=4", "bbox", "four numbers"),
        ("geometry={}", "geometry", "GeoJSON"),
        ("geometry=POINT(1 2)", "geometry", "GeoJSON"),
        ("relation=near", "relation", "intersects, within, contains or disjoint"),
        ("kind=video", "kind", "not a kind"),
        ("method=magic", "method", "not a method"),
        ("sort=best", "sort", "not an order"),
        ("datetime=2020/2015", "datetime", "after the end"),
        ("from=2020&to=2015", "datetime", "after the end"),
        ("cursor=20", "cursor", "not a cursor of ours"),
        ("cursor=zz-00", "cursor", "not a cursor of ours"),
    ];
    for (input, field, word) in cases {
        let errors = SearchQuery::from_query_string(input).expect_err(input);
        assert_eq!(errors.len(), 1, "{input}: {errors:?}");
        assert_eq!(errors[0].field, field, "{input}");
        assert!(errors[0].message.contains(word), "{input}: {}", errors[0].message);
    }
    let several = SearchQuery::from_query_string("limit=-1&kind=video&bbox=x").expect_err("three faults");
    assert_eq!(several.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), ["limit", "kind", "bbox"]);
}

#[test]
fn what_a_person_types_stays_as_it_is() {
    for typed in
        ["/foo", "a:b", "\"open", "(x", "AND", "*", "\\", "🌍", "a&b=c", "50%", "+minus -plus", "x".repeat(10_000).as_str()]
    {
        let query = SearchQuery { q: typed.to_owned(), ..SearchQuery::default() };
        assert_eq!(read(&query.to_query_string()).q, typed);
    }
}

#[test]
fn a_cursor_belongs_to_its_query() {
    let query = read("q=flood&kind=map");
    let same_page_size = SearchQuery { limit: Some(50), ..query.clone() };
    let next_page = SearchQuery { cursor: Some(Cursor { offset: 20, query: query.fingerprint() }), ..query.clone() };
    assert_eq!(query.fingerprint(), same_page_size.fingerprint());
    assert_eq!(query.fingerprint(), next_page.fingerprint());
    for other in ["q=floods&kind=map", "q=flood", "q=flood&kind=map&sort=title", "q=flood&kind=map&bbox=0,0,1,1"] {
        assert_ne!(query.fingerprint(), read(other).fingerprint(), "{other}");
    }
    for text in ["", "-", "x", "14", "14-", "-14", "14-00000000000000000", "14-0-0", "14-xyz", "99999999999999999-0", "🌍-0"] {
        let error = Cursor::decode(text).expect_err(text);
        assert!(error.message.contains("next_cursor"), "{text}: {}", error.message);
    }
}

fn words() -> impl Strategy<Value = String> {
    "[^\\s\\p{C}]([^\\p{C}]{0,20}[^\\s\\p{C}])?"
}

fn areas() -> impl Strategy<Value = Area> {
    let bbox = (-180.0..180.0f64, -90.0..0.0f64, 0.0..359.0f64, 0.0..90.0f64)
        .prop_map(|(west, south, width, north)| Area::Box(BBox::new(west, south, west + width, north).unwrap()));
    // Millionths of a degree: serde_json is exact to 15 digits.
    let point = (-180_000_000..180_000_000i32, -90_000_000..90_000_000i32)
        .prop_map(|(x, y)| Area::Geometry(geojson::Geometry::new_point([x, y].map(|degrees| f64::from(degrees) / 1e6))));
    prop_oneof![bbox, point]
}

fn queries() -> impl Strategy<Value = SearchQuery> {
    let choice = |most: usize| prop::collection::btree_set(words(), 0..most).prop_map(|set| set.into_iter().collect::<Vec<_>>());
    let kinds = prop::sample::subsequence(Kind::ALL.to_vec(), 0..=3);
    let methods = prop::sample::subsequence(Method::ALL.to_vec(), 0..=3);
    let relation = prop::sample::select(Relation::ALL.to_vec());
    let sort = prop::sample::select(Sort::ALL.to_vec());
    let datetime =
        prop::option::of(prop::sample::select(vec!["2015", "2015/..", "../2015-06", "-9999/1200", "2015-06-30T12:00:00Z/2016"]));
    let filter = (kinds, choice(3), choice(3), datetime, prop::option::of(areas()));
    let cursor = prop::option::of((any::<u64>(), any::<u64>()).prop_map(|(offset, query)| Cursor { offset, query }));
    (
        prop::option::of(words()),
        filter,
        prop::option::of(words()),
        prop::option::of(words()),
        relation,
        methods,
        sort,
        prop::option::of(1..=100usize),
        cursor,
    )
        .prop_map(
            |(q, (kinds, tags, contributors, datetime, area), place, place_id, relation, methods, sort, limit, cursor)| {
                SearchQuery {
                    q: q.unwrap_or_default(),
                    filter: Filter {
                        kinds,
                        tags,
                        contributors,
                        datetime: datetime.map(|text| text.parse().unwrap()),
                        area: area.map(|area| AreaFilter { area, relation }),
                    },
                    place,
                    place_id,
                    relation,
                    methods,
                    sort,
                    limit,
                    cursor,
                }
            },
        )
}

proptest! {
    #[test]
    fn written_queries_read_back_the_same(query in queries()) {
        prop_assert_eq!(&SearchQuery::from_pairs(query.to_pairs()).unwrap(), &query);
        prop_assert_eq!(&read(&query.to_query_string()), &query);
    }

    #[test]
    fn nothing_in_an_address_breaks_it(text in ".{0,60}") {
        let _ = SearchQuery::from_query_string(&text);
    }
}
