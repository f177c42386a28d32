//! What Cairn is and how to use it.

use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn AboutPage() -> impl IntoView {
    view! {
        <Title text="About" />
        <article class="prose">
            <h1>"About Cairn"</h1>
            <p>
                "Cairn finds geospatial knowledge: datasets, notebooks, publications, maps, code and teaching resources. "
                "It is open source, and everything it does for a search or a question is open to view."
            </p>
            <h2>"Search or ask"</h2>
            <p>
                <strong>"Search"</strong>" gives ranked cards at once. "<strong>"Ask"</strong>
                " also looks for the sentences of the catalogue that answer your question and shows them, each with its source. "
                "Where the catalogue does not hold an answer, it says so."
            </p>
            <h2>"How elements are found"</h2>
            <dl class="terms">
                <dt>"keyword"</dt>
                <dd>"your words in title, authors, tags, description and identifiers. A DOI or a product code is found in any spelling."</dd>
                <dt>"semantic"</dt>
                <dd>"what your words mean, so that a paraphrase finds it too."</dd>
                <dt>"spatial"</dt>
                <dd>"how well the footprint fits the area you drew or named."</dd>
                <dt>"graph"</dt>
                <dd>"who made it, what uses it, what it is derived from."</dd>
            </dl>
            <p>
                "Each card shows the rank each method gave it. The lists are joined by reciprocal rank fusion; "
                "scores of different methods are never compared."
            </p>
            <h2>"Writing a search"</h2>
            <ul>
                <li>"Words in double quotes must stand together: " <code>"\"sea ice\""</code></li>
                <li>"A minus leaves a word out: " <code>"ice -sea"</code></li>
                <li>"Nothing else you type is taken for a command."</li>
                <li>"Times may be partial: " <code>"2015"</code> ", " <code>"2015-06"</code>"."</li>
                <li>
                    "A box goes west, south, east, north. Where west is greater than east it crosses the antimeridian: "
                    <code>"170,-20,-170,0"</code>
                </li>
            </ul>
            <p>"The address of every page holds all of its state: keep it, share it, go back."</p>
            <h2>"For programs"</h2>
            <p>
                "The same search is at " <code>"/api/v1/search"</code> ", described by an " <a href="/api/v1/openapi.json" rel="external">
                    "OpenAPI document"
                </a> "."
            </p>
            <h2>"Sources"</h2>
            <p>
                "Outlines of countries, lakes and named areas: "
                <a href="https://www.naturalearthdata.com/" rel="noopener noreferrer">"Natural Earth"</a>
                ", public domain. Cities: "<a href="https://www.geonames.org/" rel="noopener noreferrer">"GeoNames"</a>
                ", CC BY 4.0. Maps are drawn with "<a href="https://leafletjs.com/" rel="noopener noreferrer">"Leaflet"</a>
                " and "<a href="https://geoman.io/" rel="noopener noreferrer">"Geoman"</a>"."
            </p>
        </article>
    }
    .into_any()
}
