use serde_json::json;

use super::*;

fn events(lines: &[(&str, &str, f64, Value)]) -> Vec<TraceEvent> {
    let event = |(seq, (stage, status, elapsed_ms, data)): (u64, &(&str, &str, f64, Value))| {
        serde_json::from_value(
            json!({"seq": seq, "round": "r", "stage": stage, "status": status, "elapsed_ms": elapsed_ms, "data": data}),
        )
    };
    (1..).zip(lines).map(|line| event(line).unwrap()).collect()
}

#[test]
fn a_log_becomes_stages_methods_and_an_answer() {
    let Story { answer, trace, .. } = Story::read(&events(&[
        ("routing", "finished", 1.0, json!({"methods": [{"name": "keyword", "by": "trigger", "why": "always"}]})),
        ("retrieval", "started", 1.2, json!({"method": "keyword"})),
        (
            "retrieval",
            "finished",
            3.0,
            json!({"method": "keyword", "query": "ice", "hits": [{"id": "a", "rank": 1, "score": 2.0}], "total": 1, "method_ms": 1.5}),
        ),
        ("retrieval", "degraded", 4.0, json!({"method": "semantic", "reason": "no model is installed"})),
        ("fusion", "finished", 4.5, json!({"items": [{"id": "a", "ranks": {"keyword": 1}, "position": 1}]})),
        (
            "answer",
            "finished",
            5.0,
            json!({"text": "Ice. [1]", "citations": [{"n": 1, "id": "a", "quote": "Ice."}], "kind": "extractive"}),
        ),
    ]));
    let stages: Vec<_> = trace.stages.iter().map(|line| (line.stage.name(), line.began_ms, line.ended_ms)).collect();
    assert_eq!(stages, [("routing", 0.0, 1.0), ("retrieval", 1.2, 4.0), ("fusion", 4.0, 4.5), ("answer", 4.5, 5.0)]);
    assert_eq!(trace.stages[0].notes, ["keyword (trigger): always"]);
    assert_eq!(trace.stages[1].notes, ["keyword: 1 candidate", "semantic: no model is installed"]);
    assert_eq!(trace.stages[1].status, StageStatus::Degraded, "one method down is not a clean stage");
    let methods: Vec<_> =
        trace.methods.iter().map(|line| (line.name.as_str(), line.hits.len(), line.elapsed_ms, line.failed)).collect();
    assert_eq!(methods, [("keyword", 1, Some(1.5), false), ("semantic", 0, None, true)]);
    assert_eq!(trace.fusion[0].ranks["keyword"], 1);
    assert_eq!(answer.unwrap().citations[0].quote, "Ice.");
    assert_eq!(trace.elapsed_ms, 5.0);
}

#[test]
fn what_was_added_to_a_question_is_read_without_its_empty_parts() {
    let added = json!({"place": null, "kinds": [], "popular": false, "topic": ["enhanced", "index"], "time_range": "2015/.."});
    let story = Story::read(&events(&[("augmentation", "finished", 1.0, json!({"question": "q", "added": added}))]));
    assert_eq!(story.trace.stages[0].notes, ["added topic: enhanced, index, time range: 2015/.."]);
}

#[test]
fn what_a_later_version_adds_is_passed_over() {
    let story =
        Story::read(&events(&[("fusion", "finished", 1.0, json!({"blend": 3})), ("answer", "finished", 2.0, json!("?"))]));
    assert_eq!((story.trace.fusion.len(), story.answer), (0, None));
}

#[test]
fn the_last_reading_of_a_question_holds() {
    let story = Story::read(&events(&[
        ("memory", "finished", 1.0, json!({"question": "And there?", "rewritten": null, "because": "it says what it means"})),
        ("memory", "finished", 2.0, json!({"question": "And there?", "rewritten": "Ice there?", "because": "a follow-up"})),
    ]));
    assert_eq!(story.reading.unwrap().rewritten.as_deref(), Some("Ice there?"));
    assert_eq!(story.trace.stages[0].notes, ["it says what it means", "read as “Ice there?”", "a follow-up"]);
}

#[test]
fn a_new_attempt_takes_the_place_of_the_draft() {
    let log = events(&[
        ("generation", "started", 1.0, json!({"attempt": 1, "documents": 3})),
        ("generation", "progress", 2.0, json!({"attempt": 1, "text": "Snow "})),
        ("generation", "progress", 3.0, json!({"attempt": 1, "text": "melts."})),
        ("generation", "finished", 4.0, json!({"attempt": 1, "text": "Snow melts."})),
        ("generation", "started", 5.0, json!({"attempt": 2, "documents": 3})),
        ("generation", "progress", 6.0, json!({"attempt": 2, "text": "Ice"})),
    ]);
    let text = |until: usize| Draft::read(&log[..until]).text;
    assert_eq!([3, 4, 5, 6].map(text), ["Snow melts.", "Snow melts.", "", "Ice"]);
    let trace = Story::read(&log).trace;
    assert_eq!(trace.elapsed_ms, 5.0, "pieces of a draft leave the trace as it is");
    assert_eq!(trace.attempts.iter().map(|attempt| attempt.text.as_str()).collect::<Vec<_>>(), ["Snow melts.", ""]);
}

#[test]
fn calls_are_told_with_the_stage_that_made_them() {
    let call = json!({"model": "m", "prompt_tokens": 10, "completion_tokens": 2, "elapsed_ms": 5.0, "outcome": "text"});
    let story = Story::read(&events(&[
        (
            "reasoning",
            "finished",
            1.0,
            json!({"action": "plan", "path": "multi-hop", "sub_questions": ["a", "b"], "because": "c", "calls": [call, call]}),
        ),
        ("validation", "finished", 2.0, json!({"check": "support", "verdict": "supported", "findings": [], "calls": [call]})),
        ("generation", "finished", 3.0, json!({"calls": "later"})),
    ]));
    let stages: Vec<_> = story.trace.calls.iter().map(|line| line.stage.name()).collect();
    assert_eq!(stages, ["reasoning", "reasoning", "validation"]);
    assert_eq!(story.trace.stages[0].notes, ["plan: step by step", "to find out: “a”", "to find out: “b”", "c"]);
}

#[test]
fn findings_stand_beside_their_sentence() {
    let story = Story::read(&events(&[
        ("generation", "started", 1.0, json!({"attempt": 1})),
        (
            "generation",
            "finished",
            2.0,
            json!({"attempt": 1, "text": "Ice covers 3.5 km. [1] Snow fell in 1999. [2]\nIt is cold."}),
        ),
        (
            "validation",
            "degraded",
            3.0,
            json!({"check": "scan", "verdict": "unsupported", "attempt": 1, "findings": [
                {"sentence": "Snow fell in 1999. [2]", "problem": "1999 is not in [2]"},
                {"sentence": "", "problem": "off the question"}]}),
        ),
    ]));
    let attempt = &story.trace.attempts[0];
    let (sentences, whole) = attempt.judged();
    assert_eq!(
        sentences,
        [("Ice covers 3.5 km. [1]", vec![]), ("Snow fell in 1999. [2]", vec!["1999 is not in [2]"]), ("It is cold.", vec![])]
    );
    assert_eq!(whole.iter().map(|finding| finding.problem.as_str()).collect::<Vec<_>>(), ["off the question"]);
}
