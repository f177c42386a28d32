CREATE TABLE elements (
    id          TEXT PRIMARY KEY,
    visibility  TEXT NOT NULL CHECK (visibility IN ('public', 'private', 'withdrawn')),
    doi         TEXT,
    click_count INTEGER NOT NULL,
    created     TEXT NOT NULL,
    updated     TEXT NOT NULL,
    -- the element as JSON without the columns above
    body        TEXT NOT NULL,
    -- the newest row of the log about its content, and about anything
    content_seq INTEGER NOT NULL,
    last_seq    INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX elements_by_last_seq ON elements (last_seq);
CREATE INDEX elements_by_doi ON elements (doi) WHERE doi IS NOT NULL;
CREATE INDEX elements_by_visibility ON elements (visibility);

-- AUTOINCREMENT: a position is never given twice
CREATE TABLE log (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    element_id TEXT NOT NULL,
    what       TEXT NOT NULL CHECK (what IN ('put', 'clicked', 'withdrawn')),
    at         TEXT NOT NULL
) STRICT;

-- only as long as a repeated click does not count
CREATE TABLE recent_clicks (
    element_id TEXT NOT NULL,
    visitor    TEXT NOT NULL,
    at_ms      INTEGER NOT NULL,
    PRIMARY KEY (element_id, visitor)
) STRICT, WITHOUT ROWID;

CREATE INDEX recent_clicks_by_time ON recent_clicks (at_ms);

CREATE TABLE rounds (
    id       TEXT PRIMARY KEY,
    question TEXT NOT NULL,
    search   TEXT NOT NULL,
    created  TEXT NOT NULL,
    finished INTEGER NOT NULL,
    last_seq INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX rounds_open ON rounds (id) WHERE finished = 0;

CREATE TABLE round_events (
    round_id TEXT NOT NULL REFERENCES rounds (id),
    seq      INTEGER NOT NULL,
    body     TEXT NOT NULL,
    PRIMARY KEY (round_id, seq)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 1;
