//! An address that leads nowhere.

use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn NotFoundPage() -> impl IntoView {
    #[cfg(feature = "ssr")]
    if let (Some(reply), Ok(status)) = (use_context::<leptos_axum::ResponseOptions>(), 404.try_into()) {
        reply.set_status(status);
    }
    view! {
        <Title text="Not found" />
        <article class="prose">
            <h1>"There is no page with this address"</h1>
            <p>"It may be mistyped, or what was here has moved. From here you can:"</p>
            <ul>
                <li>"search with the box on top of the page,"</li>
                <li>
                    <a href="/">"start from what the catalogue holds"</a>
                    ","
                </li>
                <li>
                    <a href="/about">"read how Cairn works"</a>
                    "."
                </li>
            </ul>
        </article>
    }
    .into_any()
}
