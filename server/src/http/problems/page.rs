//! A problem as a page of its own, for those who came with a browser.

use std::fmt::Write;

use pipeline::model::problem::Problem;

pub fn render(problem: &Problem) -> String {
    let mut errors = String::new();
    for error in &problem.errors {
        // writing to a string does not fail
        let _ = write!(errors, "<li><strong>{}</strong>: {}</li>", escape(&error.field), escape(&error.message));
    }
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} · Cairn</title><link rel=\"stylesheet\" href=\"/pkg/cairn.css\"></head>\
         <body><main><h1>{title}</h1><p>{detail}</p><ul>{errors}</ul><p>Request <code>{instance}</code></p>\
         <p><a href=\"/\">Back to the search</a></p></main></body></html>",
        title = escape(&problem.title),
        detail = escape(&problem.detail),
        instance = escape(&problem.instance),
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
