//! Vectors that were computed once, kept by text and model.

use std::path::Path;

use async_trait::async_trait;

use super::database::{Database, Durability, failed, list};
use crate::{
    guard::cache::{VectorKey, VectorStore},
    ports::PortResult,
};

const SCHEMA: &[&str] = &[include_str!("schema/vectors-cache-1.sql")];

/// `vectors-cache.db`: 1.5 kB a vector of 384 dimensions. It may be erased at any time; it costs computing anew.
pub struct SqliteVectorCache {
    database: Database,
}

impl SqliteVectorCache {
    /// # Errors
    /// `Incompatible` for a cache of a newer version; `Internal` when the folder cannot be written.
    pub async fn open(folder: &Path) -> PortResult<Self> {
        Ok(Self { database: Database::open(&folder.join("vectors-cache.db"), Durability::Projection, SCHEMA).await? })
    }
}

#[async_trait]
impl VectorStore for SqliteVectorCache {
    async fn get(&self, keys: &[VectorKey]) -> PortResult<Vec<Option<Vec<f32>>>> {
        let blobs: Vec<Option<Vec<u8>>> = sqlx::query_scalar(
            "SELECT vector FROM json_each(?) AS wanted LEFT JOIN vectors ON vectors.key = wanted.value ORDER BY wanted.key",
        )
        .bind(list(keys.iter().map(VectorKey::as_str)))
        .fetch_all(self.database.readers())
        .await
        .map_err(failed("vector cache: get"))?;
        Ok(blobs.into_iter().map(|blob| blob.map(|blob| from_bytes(&blob))).collect())
    }

    async fn put(&self, vectors: &[(VectorKey, Vec<f32>)]) -> PortResult<()> {
        let operation = "vector cache: put";
        let mut transaction = self.database.write(operation).await?;
        for (key, vector) in vectors {
            let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
            sqlx::query("INSERT OR REPLACE INTO vectors (key, vector) VALUES (?, ?)")
                .bind(key.as_str())
                .bind(bytes)
                .execute(&mut *transaction)
                .await
                .map_err(failed(operation))?;
        }
        transaction.commit().await.map_err(failed(operation))
    }
}

fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|value| f32::from_le_bytes(*value)).collect()
}
