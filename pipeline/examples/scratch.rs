#![allow(warnings, clippy::all)]
use pipeline::{
    engines::embedded_index::EmbeddedIndex,
    model::{bbox::BBox, element::*, place::*, query::*},
    ports::{SearchIndex, embedder::ModelIdentity, records::*, search_index::*},
};
use std::{collections::*, path::Path, time::*};
fn lines(p: &str) -> Vec<serde_json::Value> {
    std::fs::read_to_string(p).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}
fn stat(name: &str, mut t: Vec<f64>) {
    t.sort_by(f64::total_cmp);
    let n = t.len();
    println!(
        "{name:32} n={n} mean={:.3} p50={:.3} p95={:.3} p99={:.3} max={:.3} ms",
        t.iter().sum::<f64>() / n as f64,
        t[n / 2],
        t[n * 95 / 100],
        t[n * 99 / 100],
        t[n - 1]
    );
}
async fn load(index: &EmbeddedIndex, els: &[Element], batch: usize) {
    let t = Instant::now();
    let mut seq = 0;
    for c in els.chunks(batch) {
        let ch: Vec<_> = c
            .iter()
            .map(|e| {
                seq += 1;
                LoggedChange { seq, what: ChangeKind::Put, element: e.clone() }
            })
            .collect();
        index.apply(&ch, seq).await.unwrap();
    }
    println!(
        "apply {} in {:.2}s = {:.0}/s (batch {batch})",
        els.len(),
        t.elapsed().as_secs_f64(),
        els.len() as f64 / t.elapsed().as_secs_f64()
    );
}
async fn scifact(dir: &Path) {
    let keep = std::path::PathBuf::from("/work/tmp/index/scifact-index");
    let dir = keep.as_path();
    std::fs::create_dir_all(dir).unwrap();
    let d = "/work/shared/data/scifact";
    let els: Vec<Element> = lines(&format!("{d}/corpus.jsonl"))
        .iter()
        .map(|v| Element {
            description: v["text"].as_str().unwrap().to_owned(),
            ..Element::new(v["_id"].as_str().unwrap(), Kind::Publication, v["title"].as_str().unwrap())
        })
        .collect();
    let index = EmbeddedIndex::open(dir, None).unwrap();
    if index.count(&Filter::default()).await.unwrap() == 0 {
        load(&index, &els, 1000).await;
    }
    let queries: HashMap<String, String> = lines(&format!("{d}/queries.jsonl"))
        .iter()
        .map(|v| (v["_id"].as_str().unwrap().to_owned(), v["text"].as_str().unwrap().to_owned()))
        .collect();
    let mut qrels: BTreeMap<String, HashSet<String>> = BTreeMap::new();
    for l in std::fs::read_to_string(format!("{d}/qrels.tsv")).unwrap().lines().skip(1) {
        let f: Vec<&str> = l.split('\t').collect();
        if f[2] != "0" {
            qrels.entry(f[0].to_owned()).or_default().insert(f[1].to_owned());
        }
    }
    let (mut ndcg, mut r100, mut mrr, mut times) = (0.0, 0.0, 0.0, vec![]);
    for (q, rel) in &qrels {
        let t = Instant::now();
        let list = index.keyword(&queries[q], &Filter::default(), 100).await.unwrap();
        times.push(t.elapsed().as_secs_f64() * 1e3);
        let dcg: f64 = list
            .hits
            .iter()
            .take(10)
            .enumerate()
            .filter(|(_, h)| rel.contains(&h.id.0))
            .map(|(i, _)| 1.0 / ((i + 2) as f64).log2())
            .sum();
        let ideal: f64 = (0..rel.len().min(10)).map(|i| 1.0 / ((i + 2) as f64).log2()).sum();
        ndcg += dcg / ideal;
        r100 += list.hits.iter().filter(|h| rel.contains(&h.id.0)).count() as f64 / rel.len() as f64;
        mrr += list.hits.iter().take(10).position(|h| rel.contains(&h.id.0)).map_or(0.0, |p| 1.0 / (p + 1) as f64);
    }
    let n = qrels.len() as f64;
    println!("scifact n={n} nDCG@10={:.4} R@100={:.4} MRR@10={:.4}", ndcg / n, r100 / n, mrr / n);
    stat("scifact keyword", times);
}
struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn f(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}
fn unit(r: &mut Rng) -> Vec<f32> {
    let v: Vec<f32> = (0..384).map(|_| (r.f() - 0.5) as f32).collect();
    let l = v.iter().map(|x| x * x).sum::<f32>().sqrt();
    v.into_iter().map(|x| x / l).collect()
}
fn elements(n: usize) -> Vec<Element> {
    let cols = lines("/work/shared/data/eo-collections/collections.ndjson");
    let mut words: Vec<String> = cols
        .iter()
        .flat_map(|c| c["description"].as_str().unwrap_or("").split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .filter(|w| w.len() > 3)
        .collect::<HashSet<_>>()
        .into_iter()
        .collect();
    words.sort();
    let mut r = Rng(42);
    (0..n)
        .map(|i| {
            let c = &cols[i % cols.len()];
            let mut desc = c["description"].as_str().unwrap_or("").to_owned();
            if i >= cols.len() {
                for _ in 0..12 {
                    desc.push(' ');
                    desc.push_str(&words[r.below(words.len())]);
                }
            }
            let mut e = Element {
                description: desc,
                tags: c["keywords"]
                    .as_array()
                    .map(|a| a.iter().filter_map(|t| t.as_str()).take(15).map(str::to_owned).collect())
                    .unwrap_or_default(),
                click_count: r.below(50) as u64,
                ..Element::new(&format!("e{i:06}"), Kind::ALL[i % 6], c["title"].as_str().unwrap_or("untitled"))
            };
            e.contributor = Some(Person { name: format!("Person {}", i % 97) });
            e.temporal = Some(pipeline::model::period::Period {
                start: format!("{}", 1950 + r.below(70)).parse().ok(),
                end: if r.f() < 0.5 { None } else { "2022".parse().ok() },
                text: None,
            });
            let k = r.f();
            let bbox = if k < 0.45 {
                Some(BBox::WORLD)
            } else if k < 0.9 {
                let (w, s) = (r.f() * 340.0 - 180.0, r.f() * 150.0 - 80.0);
                let sz = r.f() * r.f() * 40.0;
                BBox::new(w, s, (w + sz).min(180.0), (s + sz).min(90.0)).ok()
            } else {
                None
            };
            if let Some(b) = bbox {
                let geometry = if r.f() < 0.1 && b.width() < 300.0 {
                    let (cx, cy) = b.centre();
                    let (rx, ry) = (b.width() / 2.0, b.height() / 2.0);
                    let mut ring: Vec<Vec<f64>> = (0..40)
                        .map(|k| {
                            let a = k as f64 / 40.0 * std::f64::consts::TAU;
                            vec![cx + rx * a.cos(), cy + ry * a.sin()]
                        })
                        .collect();
                    ring.push(ring[0].clone());
                    serde_json::from_value(serde_json::json!({"type":"Polygon","coordinates":[ring]})).ok()
                } else {
                    None
                };
                e.spatial = Some(Spatial { geometry, bbox: Some(b), places: vec![] });
            }
            e
        })
        .collect()
}
async fn speed(dir: &Path, n: usize) {
    println!("--- {n}");
    let model = Some(ModelIdentity { name: "m".into(), dimension: 384 });
    let els = elements(n);
    let index = EmbeddedIndex::open(dir, model.clone()).unwrap();
    if index.count(&Filter::default()).await.unwrap() == 0 {
        load(&index, &els, 500).await;
        let mut r = Rng(7);
        let t = Instant::now();
        for c in els.chunks(500) {
            let v: Vec<_> = c.iter().map(|e| ElementVectors { id: e.id.clone(), chunks: vec![unit(&mut r)] }).collect();
            index.apply_vectors(&v, 1).await.unwrap();
        }
        println!("vectors in {:.2}s", t.elapsed().as_secs_f64());
    }
    drop(index);
    let t = Instant::now();
    let index = EmbeddedIndex::open(dir, model).unwrap();
    println!("open {:.2}s", t.elapsed().as_secs_f64());
    let mut r = Rng(99);
    let qs: Vec<String> = (0..300)
        .map(|i| {
            let e = &els[r.below(n)];
            let w: Vec<&str> = e.description.split_whitespace().collect();
            let k = 2 + r.below(6);
            if w.is_empty() { e.title.clone() } else { (0..k).map(|_| w[r.below(w.len())]).collect::<Vec<_>>().join(" ") }
        })
        .collect();
    let f0 = Filter::default();
    macro_rules! time { ($name:expr, $n:expr, $e:expr) => {{ let mut ts = vec![]; for i in 0..$n { let i: usize = i; let t = Instant::now(); let x = $e(i).await.unwrap(); ts.push(t.elapsed().as_secs_f64() * 1e3); std::hint::black_box(x); } stat($name, ts); }} }
    let mut tot = 0;
    for q in &qs {
        tot += index.keyword(q, &f0, 100).await.unwrap().total;
    }
    println!("mean total {}", tot / 300);
    time!("keyword", 300, |i: usize| index.keyword(&qs[i], &f0, 100));
    let fk = Filter { kinds: vec![Kind::Map], ..Filter::default() };
    time!("keyword kind filter", 300, |i: usize| index.keyword(&qs[i], &fk, 100));
    let vs: Vec<Vec<f32>> = (0..100).map(|_| unit(&mut r)).collect();
    time!("semantic", 100, |i: usize| index.semantic(&vs[i], &f0, 100));
    let areas: Vec<AreaFilter> = (0..100)
        .map(|i| {
            let (w, s) = (r.f() * 330.0 - 180.0, r.f() * 140.0 - 80.0);
            let sz = 2.0 + r.f() * 25.0;
            AreaFilter { area: Area::Box(BBox::new(w, s, w + sz, s + sz.min(20.0)).unwrap()), relation: Relation::Intersects }
        })
        .collect();
    let mut tot = 0;
    for a in &areas {
        tot += index.spatial(a, &f0, 100).await.unwrap().total;
    }
    println!("mean total {}", tot / 100);
    time!("spatial box", 100, |i: usize| index.spatial(&areas[i], &f0, 100));
    let within: Vec<AreaFilter> = areas.iter().map(|a| AreaFilter { relation: Relation::Within, ..a.clone() }).collect();
    time!("spatial within", 100, |i: usize| index.spatial(&within[i], &f0, 100));
    let dis: Vec<AreaFilter> = areas.iter().map(|a| AreaFilter { relation: Relation::Disjoint, ..a.clone() }).collect();
    time!("spatial disjoint", 100, |i: usize| index.spatial(&dis[i], &f0, 100));
    let polys: Vec<AreaFilter> = lines("/work/shared/data/gazetteer/natural-earth.ndjson")
        .iter()
        .filter_map(|v| {
            let g = v.get("geometry")?;
            let g: geojson::Geometry = serde_json::from_value(g.clone()).ok()?;
            let s = serde_json::to_string(&g).ok()?;
            (s.len() > 2000).then_some(AreaFilter { area: Area::Geometry(g), relation: Relation::Intersects })
        })
        .filter(|a| pipeline::geometry::Shape::from_area(&a.area).is_ok())
        .take(200)
        .collect();
    println!(
        "polys {} mean bytes {}",
        polys.len(),
        polys.iter().map(|p| serde_json::to_string(p).unwrap().len()).sum::<usize>() / polys.len().max(1)
    );
    let np = polys.len();
    time!("spatial polygon", np, |i: usize| index.spatial(&polys[i], &f0, 100));
    let pf: Vec<Filter> = areas.iter().map(|a| Filter { area: Some(a.clone()), ..Filter::default() }).collect();
    time!("count area filter", 100, |i: usize| index.count(&pf[i]));
    time!("keyword area filter (cached)", 100, |i: usize| index.keyword(&qs[i], &pf[i], 100));
    time!("browse popular", 100, |i: usize| index.browse(&f0, Sort::Popular, 0, 20));
    time!("browse title kind", 100, |i: usize| index.browse(&fk, Sort::Title, 40, 20));
    time!("facets all", 50, |i: usize| index.facets(FacetScope::Filter(&f0), 20));
    let ids: Vec<ElementId> = els.iter().step_by(n / 300).map(|e| e.id.clone()).collect();
    time!("facets 300 ids", 100, |i: usize| index.facets(FacetScope::Elements(&ids), 20));
    let mut ts = vec![];
    for i in 0..10u64 {
        let t = Instant::now();
        index
            .apply(&[LoggedChange { seq: 1, what: ChangeKind::Put, element: els[i as usize].clone() }], n as u64 + i)
            .await
            .unwrap();
        ts.push(t.elapsed().as_secs_f64() * 1e3);
    }
    stat("apply one", ts);
    println!("rss {}", std::fs::read_to_string("/proc/self/status").unwrap().lines().find(|l| l.starts_with("VmRSS")).unwrap());
}
#[tokio::main(flavor = "multi_thread", worker_threads = 4)]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    let tmp = tempfile::tempdir().unwrap();
    match args[1].as_str() {
        "scifact" => scifact(tmp.path()).await,
        n => {
            let d = format!("/work/tmp/index/speed-{n}");
            if args.get(2).is_some() {
                let _ = std::fs::remove_dir_all(&d);
            }
            std::fs::create_dir_all(&d).unwrap();
            speed(Path::new(&d), n.parse().unwrap()).await
        }
    }
}
