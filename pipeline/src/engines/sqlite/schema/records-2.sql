CREATE TABLE conversations (
    id      TEXT PRIMARY KEY,
    -- NULL: asked before visitors were told apart
    owner   TEXT,
    created TEXT NOT NULL
) STRICT;

CREATE INDEX conversations_by_owner ON conversations (owner, id);

-- a round of version 1 becomes a conversation of its own
INSERT INTO conversations (id, owner, created) SELECT id, NULL, created FROM rounds;

-- a reference that is added later must be NULL by default; no round is without one
ALTER TABLE rounds ADD COLUMN conversation_id TEXT REFERENCES conversations (id);
UPDATE rounds SET conversation_id = id;
CREATE INDEX rounds_by_conversation ON rounds (conversation_id, id);

CREATE TABLE round_feedback (
    round_id TEXT NOT NULL REFERENCES rounds (id),
    owner    TEXT NOT NULL,
    body     TEXT NOT NULL,
    updated  TEXT NOT NULL,
    PRIMARY KEY (round_id, owner)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 2;
