//! What every embedder does.

use crate::ports::{Embedder, ErrorKind};

/// # Panics
/// Where the embedder does not conform.
pub async fn conforms(embedder: &dyn Embedder) {
    gives_unit_vectors_in_order(embedder).await;
    refuses_empty_text(embedder).await;
    takes_any_text(embedder).await;
    puts_like_beside_like(embedder).await;
}

async fn gives_unit_vectors_in_order(embedder: &dyn Embedder) {
    assert_eq!(embedder.embed(&[]).await.unwrap(), Vec::<Vec<f32>>::new());
    let long = "sea ice ".repeat(40);
    let texts = ["lake ice", long.as_str(), "stock market prices", "lake ice"].map(str::to_owned);
    let vectors = embedder.embed(&texts).await.unwrap();
    assert_eq!(vectors.len(), texts.len());
    for (text, vector) in texts.iter().zip(&vectors) {
        assert_eq!(vector.len(), embedder.model().dimension);
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-4, "{text:?} has no unit vector");
        let alone = embedder.embed_query(text).await.unwrap();
        assert!(cosine(vector, &alone) > 0.98, "{text:?} has another vector among others than alone");
    }
    assert!(cosine(&vectors[0], &vectors[3]) > 0.999);
}

async fn refuses_empty_text(embedder: &dyn Embedder) {
    for empty in ["", " \n\t "] {
        assert_eq!(embedder.embed(&["ice".to_owned(), empty.to_owned()]).await.unwrap_err().kind, ErrorKind::Invalid);
        assert_eq!(embedder.embed_query(empty).await.unwrap_err().kind, ErrorKind::Invalid);
    }
}

async fn takes_any_text(embedder: &dyn Embedder) {
    let long = "Überschwemmung 洪水 наводнение ".repeat(400);
    for text in ["🛰️", "'; DROP TABLE elements; --", "\u{0}", "[PAD] [CLS]", "مرحبا", long.as_str()] {
        let vector = embedder.embed_query(text).await.unwrap();
        assert!(vector.iter().all(|value| value.is_finite()), "{text:?}");
    }
}

async fn puts_like_beside_like(embedder: &dyn Embedder) {
    let texts = ["the thickness of lake ice", "lake ice thickness in winter", "a recipe for tomato soup"].map(str::to_owned);
    let vectors = embedder.embed(&texts).await.unwrap();
    let (near, far) = (cosine(&vectors[0], &vectors[1]), cosine(&vectors[0], &vectors[2]));
    assert!(near > far + 0.2, "near {near}, far {far}");
}

pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
