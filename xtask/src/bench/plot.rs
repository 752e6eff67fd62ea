//! Plots of results, as SVG.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::bench::results::Row;
use crate::sets::Answer;

/// Why a plot could not be drawn.
pub type PlotError = Box<dyn Error>;

/// Times below are drawn as this: nobody waits for a hundredth of a second.
const LEAST_SECONDS: f64 = 0.01;

/// Colours that can be told apart by everyone (Okabe and Ito), on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    BLACK,
];

/// Beyond so many colours, lines are told apart by their dashes: length and gap.
const DASHES: [Option<(u32, u32)>; 3] = [None, Some((10, 5)), Some((3, 3))];

/// Fonts are those of whoever looks at the plot.
const FONT: &str = "sans-serif";

/// The height of a line of the legend, which stands below: nothing of the plot is hidden by it.
const LEGEND_LINE: u32 = 22;

/// How long each configuration takes to solve its n-th fastest task: the further right a line ends
/// the more it solves, the lower it is the faster.
pub fn quantiles(
    path: &Path,
    title: &str,
    limit: f64,
    lines: &[(String, Vec<&Row>)],
) -> Result<(), PlotError> {
    let lines: Vec<(&str, Vec<f64>)> = lines
        .iter()
        .map(|(name, rows)| {
            let solved = rows.iter().filter(|row| row.class().is_correct());
            let mut times: Vec<f64> = solved.map(|row| row.cpu.max(LEAST_SECONDS)).collect();
            times.sort_unstable_by(f64::total_cmp);
            (name.as_str(), times)
        })
        .collect();
    let most = lines.iter().map(|(_, times)| times.len()).max().unwrap_or(0).max(1);

    let (root, area, legend) = canvas(path, (900, 520), lines.len())?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, (FONT, 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(
            0..most + most / 50 + 1,
            (LEAST_SECONDS..1.2 * limit.max(2.0 * LEAST_SECONDS)).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("solved tasks")
        .y_desc("CPU seconds")
        .y_label_formatter(&|seconds| seconds.to_string())
        .x_max_light_lines(1)
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 16))
        .draw()?;
    for (index, (name, times)) in lines.iter().enumerate() {
        let style = COLOURS[index % COLOURS.len()].stroke_width(2);
        let points = times.iter().enumerate().map(|(solved, &seconds)| (solved + 1, seconds));
        let sample = [(12, 0), (52, 0)];
        let position = |(x, y): (i32, i32)| (x, y + legend_line(index));
        match DASHES[index / COLOURS.len() % DASHES.len()] {
            None => {
                chart.draw_series(LineSeries::new(points, style).point_size(2))?;
                legend.draw(&PathElement::new(sample.map(position), style))?;
            }
            Some((length, gap)) => {
                chart.draw_series(DashedLineSeries::new(points, length, gap, style))?;
                let sample = sample.map(position);
                legend.draw(&DashedPathElement::new(sample, length, gap, style))?;
            }
        }
        draw_label(&legend, index, &format!("{name} ({} solved)", times.len()))?;
    }
    root.present()?;
    Ok(())
}

/// The times of two configurations or tables against each other, a point for each task. What one
/// does not solve lies on the limit.
pub fn scatter(
    path: &Path,
    names: [&str; 2],
    limit: f64,
    pairs: &[(&Row, &Row)],
) -> Result<(), PlotError> {
    let limit = limit.max(2.0 * LEAST_SECONDS);
    let position = |row: &Row| {
        if row.class().is_correct() { row.cpu.clamp(LEAST_SECONDS, limit) } else { limit }
    };
    let kinds = [Kind::True, Kind::False, Kind::Wrong];
    let (root, area, legend) = canvas(path, (640, 640), kinds.len())?;
    // A little more than the limit, so that the points on it are whole.
    let seconds = || (LEAST_SECONDS..limit * 1.3).log_scale();
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(seconds(), seconds())?;
    chart
        .configure_mesh()
        .x_desc(format!("CPU seconds: {}", names[0]))
        .y_desc(format!("CPU seconds: {}", names[1]))
        .x_label_formatter(&|seconds| seconds.to_string())
        .y_label_formatter(&|seconds| seconds.to_string())
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 16))
        .draw()?;
    let (least, grey) = (LEAST_SECONDS, RGBColor(120, 120, 120));
    for line in [
        [(least, least), (limit, limit)],
        [(least, limit), (limit, limit)],
        [(limit, least), (limit, limit)],
    ] {
        chart.draw_series([PathElement::new(line, grey)])?;
    }
    for (index, kind) in kinds.into_iter().enumerate() {
        let of_kind = pairs.iter().filter(|(a, b)| Kind::of(a, b) == kind);
        let points: Vec<(f64, f64)> = of_kind.map(|(a, b)| (position(a), position(b))).collect();
        let style = kind.colour().stroke_width(2);
        let label = format!("{} ({} tasks)", kind.name(), points.len());
        chart.draw_series(points.into_iter().map(|point| Cross::new(point, 4, style)))?;
        legend.draw(&Cross::new((32, legend_line(index)), 4, style))?;
        draw_label(&legend, index, &label)?;
    }
    root.present()?;
    Ok(())
}

/// Times against sizes, a point for each task and a colour for each analysis.
pub fn growth(path: &Path, lines: &[(&str, Vec<(f64, f64)>)]) -> Result<(), PlotError> {
    // Less is not measured reliably.
    const LEAST: f64 = 0.0001;
    let all = || lines.iter().flat_map(|(_, points)| points);
    let largest = all().map(|&(size, _)| size).fold(100.0, f64::max);
    let slowest = all().map(|&(_, seconds)| seconds).fold(1.0, f64::max);
    let (root, area, legend) = canvas(path, (900, 520), lines.len())?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(
            (10.0..largest * 1.2).log_scale(),
            (LEAST..slowest * 1.2).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("edges of the automaton")
        .y_desc("seconds")
        .x_label_formatter(&|edges| edges.to_string())
        .y_label_formatter(&|seconds| seconds.to_string())
        .label_style((FONT, 14))
        .axis_desc_style((FONT, 16))
        .draw()?;
    for (index, (name, points)) in lines.iter().enumerate() {
        let style = COLOURS[index % COLOURS.len()].stroke_width(2);
        let points = points.iter().map(|&(size, seconds)| (size.max(10.0), seconds.max(LEAST)));
        chart.draw_series(points.map(|point| Cross::new(point, 3, style)))?;
        legend.draw(&Cross::new((32, legend_line(index)), 4, style))?;
        draw_label(&legend, index, name)?;
    }
    root.present()?;
    Ok(())
}

/// One of several plots side by side, which have the legend and the x axis in common.
#[derive(Debug)]
pub struct Panel<'a> {
    /// What is on the y axis, which is logarithmic.
    pub y: &'a str,
    /// Less than this is drawn as this.
    pub least: f64,
    /// A line for each name of the legend.
    pub lines: Vec<Vec<(u32, f64)>>,
}

/// Several figures against the same numbers, `x`: exponential growth is a straight line.
pub fn panels(
    path: &Path,
    x: &str,
    names: &[String],
    panels: &[Panel<'_>],
) -> Result<(), PlotError> {
    let lines = || panels.iter().flat_map(|panel| &panel.lines);
    let last = lines().flatten().map(|&(x, _)| x).max().unwrap_or(1);
    let width = 480 * u32::try_from(panels.len())?.max(1);
    let (root, area, legend) = canvas(path, (width, 400), names.len())?;
    for (panel, area) in panels.iter().zip(area.split_evenly((1, panels.len().max(1)))) {
        let most = panel.lines.iter().flatten().map(|&(_, y)| y).fold(10.0 * panel.least, f64::max);
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(80)
            .build_cartesian_2d(0..last + 1, (panel.least..1.5 * most).log_scale())?;
        chart
            .configure_mesh()
            .x_desc(x)
            .y_desc(panel.y)
            .y_label_formatter(&|y| y.to_string())
            .x_max_light_lines(1)
            .label_style((FONT, 14))
            .axis_desc_style((FONT, 16))
            .draw()?;
        for (index, points) in panel.lines.iter().enumerate() {
            let style = COLOURS[index % COLOURS.len()].stroke_width(2);
            let points = points.iter().map(|&(x, y)| (x, y.max(panel.least)));
            chart.draw_series(LineSeries::new(points, style).point_size(3))?;
        }
    }
    for (index, name) in names.iter().enumerate() {
        let style = COLOURS[index % COLOURS.len()].stroke_width(2);
        let sample = [12, 52].map(|x| (x, legend_line(index)));
        legend.draw(&PathElement::new(sample, style))?;
        draw_label(&legend, index, name)?;
    }
    root.present()?;
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A white drawing, its part for the plot, of this size, and the one for a legend of so many lines.
fn canvas(
    path: &Path,
    (width, height): (u32, u32),
    lines: usize,
) -> Result<(Area<'_>, Area<'_>, Area<'_>), PlotError> {
    let below = LEGEND_LINE * (u32::try_from(lines)? + 1);
    let root = SVGBackend::new(path, (width, height + below)).into_drawing_area();
    root.fill(&WHITE)?;
    let (plot, legend) = root.split_vertically(height);
    Ok((root, plot, legend))
}

/// Where a line of the legend is, from its top.
fn legend_line(index: usize) -> i32 {
    LEGEND_LINE as i32 / 2 + LEGEND_LINE as i32 * i32::try_from(index).unwrap_or(i32::MAX / 100)
}

fn draw_label(legend: &Area<'_>, index: usize, text: &str) -> Result<(), PlotError> {
    let style = (FONT, 14).into_text_style(legend).pos(Pos::new(HPos::Left, VPos::Center));
    legend.draw(&Text::new(text, (64, legend_line(index)), style))?;
    Ok(())
}

/// What a point of a scatter plot stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    True,
    False,
    Wrong,
}

impl Kind {
    fn of(a: &Row, b: &Row) -> Kind {
        if a.class().is_wrong() || b.class().is_wrong() {
            return Kind::Wrong;
        }
        match a.expected.answer {
            Answer::True => Kind::True,
            Answer::False => Kind::False,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::True => "expected true",
            Kind::False => "expected false",
            Kind::Wrong => "wrong verdict",
        }
    }

    fn colour(self) -> RGBColor {
        match self {
            Kind::True => COLOURS[0],
            Kind::False => COLOURS[5],
            Kind::Wrong => RGBColor(215, 0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::bench::outcome::Class;
    use crate::bench::results::tests::row;

    fn drawn(draw: impl FnOnce(&Path) -> Result<(), PlotError>) -> String {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("plot.svg");
        draw(&path).expect("it can be drawn");
        let svg = fs::read_to_string(path).expect("it was written");
        check_well_formed(&svg);
        svg
    }

    /// Every element is closed, in the right order, and nothing but the escapes has an ampersand.
    fn check_well_formed(svg: &str) {
        let mut open: Vec<&str> = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').expect("tags end");
            for escape in text.split('&').skip(1) {
                let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
                assert!(known.iter().any(|name| escape.starts_with(name)), "{text}");
            }
            let name = tag.split_whitespace().next().expect("tags have names");
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => assert_eq!(tag.matches('"').count() % 2, 0, "{tag}"),
                None => open.push(name),
            }
        }
        assert!(open.is_empty() && svg.starts_with("<svg "), "{open:?}");
    }

    #[test]
    fn a_line_for_each_configuration() {
        let rows: Vec<Row> = [(Class::CorrectTrue, 0.0), (Class::CorrectFalse, 30.0)]
            .into_iter()
            .chain([(Class::Timeout, 60.0), (Class::WrongTrue, 1.0)])
            .map(|(class, cpu)| row("loops", "a.c", "", class, cpu))
            .collect();
        let all: Vec<&Row> = rows.iter().collect();
        let mut lines = vec![("a<b & c".to_owned(), all.clone()), ("nothing".to_owned(), vec![])];
        lines.extend((0..20).map(|index| (format!("-x {index}"), all.clone())));
        let svg = drawn(|path| quantiles(path, "loops & bits", 60.0, &lines));
        for text in ["a&lt;b &amp; c (2 solved)", "nothing (0 solved)", "-x 19 (2 solved)"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.contains("solved tasks") && svg.contains("CPU seconds"));
        assert_eq!(svg, drawn(|path| quantiles(path, "loops & bits", 60.0, &lines)));
    }

    #[test]
    fn a_point_for_each_size() {
        let lines = [("fast & rough", vec![(10.0, 0.0), (1e5, 3.0)]), ("nothing", vec![])];
        let svg = drawn(|path| growth(path, &lines));
        for text in ["fast &amp; rough", "nothing", "edges of the automaton", "seconds"] {
            assert!(svg.contains(text), "{text}");
        }
        drawn(|path| growth(path, &[]));
    }

    #[test]
    fn a_line_in_each_panel() {
        let names = ["none & all".to_owned(), "nothing".to_owned()];
        let figures =
            |y, least| Panel { y, least, lines: vec![vec![(2, 0.0), (3, 50.0), (4, 5e6)], vec![]] };
        let both = [figures("states", 10.0), figures("CPU <seconds>", 0.01)];
        let svg = drawn(|path| panels(path, "threads", &names, &both));
        for text in ["none &amp; all", "nothing", "threads", "states", "CPU &lt;seconds&gt;"] {
            assert!(svg.contains(text), "{text}");
        }
        // A point for each of the figures, in each panel; more would be a line too many.
        assert_eq!(svg.matches("<circle ").count(), 6);
        // Both axes have their own labels, and the one of states goes to the millions.
        assert!(svg.contains("1000000") && svg.contains("0.1"));
        drawn(|path| panels(path, "threads", &[], &[]));
    }

    #[test]
    fn a_point_for_each_task() {
        let a = row("loops", "a.c", "", Class::CorrectTrue, 0.5);
        let b = row("loops", "a.c", "", Class::Timeout, 60.0);
        let c = row("loops", "a.c", "", Class::WrongFalse, 0.001);
        let pairs = [(&a, &b), (&b, &a), (&a, &a), (&a, &c)];
        let svg = drawn(|path| scatter(path, ["one", "other"], 60.0, &pairs));
        for text in ["expected true (3 tasks)", "wrong verdict (1 tasks)", "CPU seconds: other"] {
            assert!(svg.contains(text), "{text}");
        }
        drawn(|path| scatter(path, ["one", "other"], 60.0, &[]));
        drawn(|path| scatter(path, ["one", "other"], 0.001, &pairs));
    }
}
