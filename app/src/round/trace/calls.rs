//! Each call of a language model.

use leptos::prelude::*;
use pipeline::model::round::Outcome;

use crate::{round::story::CallLine, words};

#[component]
pub fn CallTable(calls: Vec<CallLine>) -> impl IntoView {
    let rows = calls.into_iter().map(|CallLine { stage, iteration, call }| {
        let step = if iteration > 1 { format!("{}, step {iteration}", stage.name()) } else { stage.name().to_owned() };
        let class = if call.outcome == Outcome::Text { "" } else { "stage-degraded" };
        let first = call.first_token_ms.map(words::duration);
        view! {
            <tr class=class>
                <th scope="row">{step}</th>
                <td>{call.model}</td>
                <td class="figure">{words::count(call.prompt_tokens.into())}</td>
                <td class="figure">{words::count(call.completion_tokens.into())}</td>
                <td class="figure">{first}</td>
                <td class="figure">{words::duration(call.elapsed_ms)}</td>
                <td>
                    <span class="status">{outcome_words(call.outcome)}</span>
                </td>
            </tr>
        }
    });
    view! {
        <h3>"Calls of the language model"</h3>
        <div class="table-scroll" role="region" aria-label="Model calls" tabindex="0">
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Stage"</th>
                        <th scope="col">"Model"</th>
                        <th scope="col" class="figure">
                            "Tokens in"
                        </th>
                        <th scope="col" class="figure">
                            "Tokens out"
                        </th>
                        <th scope="col" class="figure">
                            "First token"
                        </th>
                        <th scope="col" class="figure">
                            "Time"
                        </th>
                        <th scope="col">"Outcome"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Text => "replied",
        Outcome::Empty => "empty reply",
        Outcome::CutOff => "cut off by the token budget",
        Outcome::Invalid => "another form than asked for",
        Outcome::Refused => "declined",
        Outcome::TimedOut => "timed out",
        Outcome::Failed => "not reached, or failed",
    }
}
