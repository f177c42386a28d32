CREATE TABLE vectors (
    key    TEXT PRIMARY KEY,
    -- little-endian f32
    vector BLOB NOT NULL
) STRICT;

PRAGMA user_version = 1;
