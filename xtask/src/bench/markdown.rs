//! Pieces of Markdown.

use std::fmt::Write as _;

/// A table that grows row by row.
#[derive(Debug)]
pub struct Table {
    text: String,
}

impl Table {
    /// Columns whose name begins with `#` hold numbers.
    pub fn new(columns: &[&str]) -> Table {
        let mut table = Table { text: String::new() };
        table.row(columns.iter().map(|name| name.trim_start_matches('#').to_owned()));
        let rule = |name: &&str| if name.starts_with('#') { "---:" } else { "---" }.to_owned();
        table.row(columns.iter().map(rule));
        table
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.text.push('|');
        for cell in cells {
            // Writing to a string cannot fail.
            let _ = write!(self.text, " {} |", cell.replace('|', "\\|"));
        }
        self.text.push('\n');
    }

    pub fn finish(self) -> String {
        self.text
    }
}

/// Text that is shown as it is.
pub fn code(text: &str) -> String {
    format!("`{text}`")
}

/// A configuration; the one without options has a name of its own.
pub fn config(options: &str) -> String {
    if options.is_empty() { "default".to_owned() } else { code(options) }
}

/// The sum of what there is; a dash where there is nothing.
pub fn sum(figures: impl IntoIterator<Item = f64>, digits: usize) -> String {
    let sum = figures.into_iter().reduce(|a, b| a + b);
    sum.map_or_else(|| "–".to_owned(), |sum| format!("{sum:.digits$}"))
}
