//! Licences as providers write them, as SPDX identifiers.

/// SPDX identifiers of licences in use for data and code; <https://spdx.org/licenses/>. Creative Commons are told by their pattern.
const KNOWN: [&str; 36] = [
    "AGPL-3.0-only",
    "AGPL-3.0-or-later",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CDLA-Permissive-1.0",
    "CDLA-Permissive-2.0",
    "CDLA-Sharing-1.0",
    "DL-DE-BY-2.0",
    "DL-DE-ZERO-2.0",
    "EPL-2.0",
    "etalab-2.0",
    "EUPL-1.2",
    "GPL-2.0",
    "GPL-2.0-only",
    "GPL-2.0-or-later",
    "GPL-3.0",
    "GPL-3.0-only",
    "GPL-3.0-or-later",
    "ISC",
    "LGPL-2.1",
    "LGPL-3.0",
    "MIT",
    "MPL-2.0",
    "NLOD-1.0",
    "NLOD-2.0",
    "ODbL-1.0",
    "ODC-By-1.0",
    "OGL-Canada-2.0",
    "OGL-UK-2.0",
    "OGL-UK-3.0",
    "OGDL-Taiwan-1.0",
    "PDDL-1.0",
    "Unlicense",
    "Zlib",
];
const VERSIONS: [&str; 5] = ["1.0", "2.0", "2.5", "3.0", "4.0"];

/// The SPDX identifier meant, when that is sure: case, spaces for hyphens and a dot at the end do not matter. A missing version is
/// not guessed.
pub(super) fn spdx(text: &str) -> Option<String> {
    let written = text.trim().trim_end_matches('.').replace([' ', '_'], "-");
    if let Some(known) = KNOWN.iter().find(|known| known.eq_ignore_ascii_case(&written)) {
        return Some((*known).to_owned());
    }
    creative_commons(&written.to_ascii_uppercase())
}

/// `CC-BY[-NC][-SA|-ND]-version[-country]`.
fn creative_commons(written: &str) -> Option<String> {
    let rest = written.strip_prefix("CC-BY")?;
    let rest = rest.strip_prefix("-NC").unwrap_or(rest);
    let rest = rest.strip_prefix("-SA").or_else(|| rest.strip_prefix("-ND")).unwrap_or(rest);
    let mut parts = rest.strip_prefix('-')?.split('-');
    let version_is_known = parts.next().is_some_and(|version| VERSIONS.contains(&version));
    let country_fits = parts
        .next()
        .is_none_or(|country| (2..=3).contains(&country.len()) && country.bytes().all(|byte| byte.is_ascii_uppercase()));
    (version_is_known && country_fits && parts.next().is_none()).then(|| written.to_owned())
}
