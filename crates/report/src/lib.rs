//! A verification run as one page of HTML that needs nothing else: no network, no other files.
//!
//! [`model`] is the data that the page shows. `assets` has the page: plain HTML, CSS and JavaScript, one file for each
//! part. [`render`] joins them.

pub mod model;

use serde::Serialize;

pub use model::Report;

const PAGE: &str = include_str!("../assets/report.html");
const STYLE: &str = include_str!("../assets/report.css");

/// The parts of the script. They share one scope; the last one starts everything.
const SCRIPTS: [&str; 10] = [
    include_str!("../assets/dom.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/trace.js"),
    include_str!("../assets/memory.js"),
    include_str!("../assets/pointers.js"),
    include_str!("../assets/folding.js"),
    include_str!("../assets/layout.js"),
    include_str!("../assets/drawing.js"),
    include_str!("../assets/graph.js"),
    include_str!("../assets/report.js"),
];

/// The page that shows a report.
pub fn render(report: &Report) -> String {
    let data = [
        data_block("report", report),
        data_block("arg", &report.arg),
        data_block("automata", &report.automata),
    ];
    // Data comes last: text of the user that looks like a mark must stay as it is.
    let page = PAGE.replacen("/* style */", STYLE, 1);
    let page = page.replacen("/* script */", &SCRIPTS.concat(), 1);
    page.replacen("<!-- data -->", &data.concat(), 1)
}

/// A script element that is not run but read.
fn data_block(id: &str, data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).expect("plain data can be written as JSON");
    format!("<script type=\"application/json\" id=\"{id}\">{}</script>\n", escape(&json))
}

/// Escapes JSON so that nothing in its strings can end the element, open a comment in it, or end a
/// line of JavaScript. Outside of strings JSON has none of these characters.
fn escape(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EdgeKind, NodeKind, SourceFile, Step, Trace};
    use serde_json::{Value, json};

    /// The text of a data block as a browser would find it: up to the first end tag.
    fn block(page: &str, id: &str) -> String {
        let start = format!("<script type=\"application/json\" id=\"{id}\">");
        let (_, rest) = page.split_once(&start).expect("the block begins");
        let (text, _) = rest.split_once("</script>").expect("the block ends");
        text.to_owned()
    }

    #[test]
    fn hostile_text_stays_inside_its_block() {
        let text =
            "</script><script>alert(1)</script><!-- <!-- data --> \u{2028}\u{2029} /* script */";
        let file = SourceFile { name: "</SCRIPT>.c".to_owned(), text: text.to_owned() };
        let page = render(&Report { files: vec![file], ..Report::default() });
        let block = block(&page, "report");
        assert!(!block.contains(['<', '\u{2028}', '\u{2029}']));
        let read: Value = serde_json::from_str(&block).unwrap();
        assert_eq!(read["files"][0]["text"], text);
        assert_eq!(read["files"][0]["name"], "</SCRIPT>.c");
    }

    #[test]
    fn every_mark_of_the_page_is_filled() {
        let page = render(&Report::default());
        for mark in ["/* style */", "/* script */", "<!-- data -->"] {
            assert!(PAGE.contains(mark));
            assert!(!page.contains(mark));
        }
    }

    #[test]
    fn assets_fit_into_their_elements() {
        assert!(!STYLE.contains("</style"));
        assert!(SCRIPTS.iter().all(|script| !script.contains("</script")));
    }

    #[test]
    fn the_page_refers_to_nothing_outside() {
        let page = render(&Report::default());
        let svg_namespace = "http://www.w3.org/2000/svg";
        let page = page.replace(svg_namespace, "");
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("url(\""));
        assert!(!page.contains("innerHTML") && !page.contains("insertAdjacentHTML"));
    }

    #[test]
    fn names_in_json_are_those_the_page_reads() {
        let step = Step { function: "main".to_owned(), ..Step::default() };
        let trace = Trace { threads: Vec::new(), steps: vec![step] };
        let report = Report { trace: Some(trace), ..Report::default() };
        let read: Value = serde_json::from_str(&block(&render(&report), "report")).unwrap();
        let expected = json!({
            "thread": 0, "at": null, "function": "main", "occurrence": 0, "text": "", "notes": [], "inputs": [],
            "reads": [], "writes": [], "points_to": [], "locks": [],
        });
        assert_eq!(read["trace"]["steps"][0], expected);
        // Graphs have blocks of their own.
        assert!(read.get("arg").is_none() && read.get("automata").is_none());
        assert_eq!(json!(NodeKind::LoopHead), "loop_head");
        assert_eq!(json!(EdgeKind::Cover), "cover");
    }

    #[test]
    fn the_same_report_gives_the_same_page() {
        let report = Report { verdict: "TRUE".to_owned(), ..Report::default() };
        assert_eq!(render(&report), render(&report));
        assert_eq!(block(&render(&report), "arg"), "null");
        assert_eq!(block(&render(&report), "automata"), "[]");
    }
}
