-- public elements only
CREATE TABLE nodes (
    id          TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    title       TEXT NOT NULL,
    click_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX nodes_by_clicks ON nodes (click_count DESC, id, kind) WHERE click_count > 0;

-- cites, related-to, derived-from, used-in; the target may be absent or not public
CREATE TABLE element_edges (
    source TEXT NOT NULL,
    edge   TEXT NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (source, edge, target)
) STRICT, WITHOUT ROWID;

CREATE INDEX element_edges_by_target ON element_edges (target, edge, source);

-- contributed-by, authored-by, bookmarked-by; `person` is the folded name, `name` is as written
CREATE TABLE person_edges (
    source TEXT NOT NULL,
    edge   TEXT NOT NULL,
    person TEXT NOT NULL,
    name   TEXT NOT NULL,
    PRIMARY KEY (source, edge, person)
) STRICT, WITHOUT ROWID;

CREATE INDEX person_edges_by_person ON person_edges (person, edge, source, name);

CREATE TABLE state (
    checkpoint INTEGER NOT NULL
) STRICT;

INSERT INTO state (checkpoint) VALUES (0);

PRAGMA user_version = 1;
