//! Footprints as exact shapes: reading GeoJSON, repair, relations, fit.
