//! What can be wrong with a record, each kind with a name of its own, so that faults can be counted.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::problem::FieldError;

/// One fault of one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub kind: FaultKind,
    /// Such as `links[2].href`.
    pub field: String,
    /// What is wrong with this value and what was done or is to be done.
    pub message: String,
}

impl Fault {
    pub fn new(kind: FaultKind, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind, field: field.into(), message: message.into() }
    }
}

impl From<Fault> for FieldError {
    fn from(fault: Fault) -> Self {
        Self { field: fault.field, message: fault.message }
    }
}

macro_rules! fault_kinds {
    ($($(#[doc = $group:literal])? $variant:ident $name:literal $sentence:literal,)*) => {
        /// On the wire and in reports the name, such as `fill-value`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum FaultKind {
            $($(#[doc = $group])? #[serde(rename = $name)] $variant,)*
        }

        impl FaultKind {
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The kind of fault in words, for a summary.
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }
        }
    };
}

fault_kinds! {
    /// The record as a whole.
    NotJson "not-json" "the line is not JSON",
    NotAnObject "not-an-object" "the record is not a JSON object",
    NotOfTheFormat "not-of-the-format" "the record is not of the format of the file",
    RecordTooLong "record-too-long" "the record is longer than a record may be",
    RepeatedId "repeated-id" "another record of the file has the same id",
    /// Fields.
    UnknownField "unknown-field" "a field of this name does not exist",
    WrongType "wrong-type" "the value is not of the type the field has",
    TooLong "too-long" "the value is longer than the field may be",
    MissingTitle "missing-title" "the title is missing",
    MissingKind "missing-kind" "the kind is missing",
    UnknownKind "unknown-kind" "the kind is none of ours",
    UnknownValue "unknown-value" "the value is none of those the field may have",
    WrongId "wrong-id" "the id has characters or a length that an id cannot have",
    WrongDoi "wrong-doi" "the DOI is not a DOI",
    WrongOrcid "wrong-orcid" "the ORCID is not an ORCID",
    WrongTimestamp "wrong-timestamp" "the time is not an RFC 3339 time",
    WrongLanguage "wrong-language" "the language is not a BCP 47 tag",
    LinkNotHttp "link-not-http" "the link is not an http or https address",
    AddressNotEncoded "address-not-encoded" "the address had letters that no address may have; they were encoded",
    UnknownLicense "unknown-license" "the licence is not an SPDX identifier; it was kept aside and `other` taken",
    EncodedTwice "encoded-twice" "letters had been encoded twice and were restored",
    ControlCharacters "control-characters" "control characters were removed",
    /// Footprints.
    ExtentIsText "extent-is-text" "the extent is a text that is almost JSON; it was read after repair of its quoting",
    ExtentUnreadable "extent-unreadable" "the extent cannot be read",
    MisnestedBox "misnested-box" "the box is nested too deep or not deep enough; it was taken out",
    NoBox "no-box" "the list of boxes is empty",
    PlaceholderBox "placeholder-box" "the box is a placeholder: all its numbers are the same; it was left out",
    BoxNotFourNumbers "box-not-four-numbers" "the box is not four (or six) numbers; it was left out",
    FillValue "fill-value" "a coordinate is a fill value; the footprint was left out",
    ProjectedCoordinates "projected-coordinates" "the coordinates are metres of a projected CRS, not degrees; the footprint was left out",
    LatitudeClamped "latitude-clamped" "a latitude was beyond a pole by at most 1°; it was set to the pole",
    LatitudeOutOfRange "latitude-out-of-range" "a latitude is beyond a pole; the footprint was left out",
    LongitudeTurned "longitude-turned" "longitudes were counted beyond 180; they were brought into -180 to 180",
    CornersTopDown "corners-top-down" "south and north stood in the other order; they were exchanged",
    BoxesDisagree "boxes-disagree" "the first box is not the whole of the others; all of them were taken together",
    BoxFault "box-fault" "the box is not a box; it was left out",
    EmptyGeometry "empty-geometry" "the geometry has no coordinates; it was left out",
    GeometryTooLarge "geometry-too-large" "the geometry has too many positions; it was left out",
    GeometryFault "geometry-fault" "the geometry cannot be read for sure; it was left out",
    GeometryRepaired "geometry-repaired" "the geometry was repaired",
    GeometryAndBoxDisagree "geometry-and-box-disagree" "box and geometry lie apart; the geometry was taken",
    PlaceElsewhere "place-elsewhere" "a place named for the element lies outside its footprint",
    /// Periods.
    PeriodNotAvailable "period-not-available" "the period says that it is not available",
    NoPeriod "no-period" "the list of intervals is empty",
    PeriodOpen "period-open" "the period has neither start nor end",
    PeriodInWords "period-in-words" "an end of the period is not a date; the words were kept as text",
    StartAfterEnd "start-after-end" "the start is after the end; both were kept as text",
    SeveralIntervals "several-intervals" "several intervals with gaps; the whole span was taken and the intervals kept as text",
    /// Relations and what a foreign record lacks.
    DanglingRelation "dangling-relation" "a related element is not in the catalogue; the edge shows once it is",
    RelatedToItself "related-to-itself" "an element is related to itself; the edge was left out",
    EmptyRecord "empty-record" "the record says nothing; it was kept as private",
    KindGuessed "kind-guessed" "the kind is not given and was taken from the other fields",
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
