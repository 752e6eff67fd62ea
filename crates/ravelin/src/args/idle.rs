//! Options of the analysis that would do nothing: an option that does nothing is one that its user has
//! misunderstood.
//!
//! No table says which option needs which. Whether an option does anything is found by trying its other
//! values, and comparing what the options ask for then
//! ([`Config::effective`](ravelin_analysis::config::Config::effective)); what it needs, by trying
//! the values of other options.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches};

use super::{AnalysisArgs, is_given};
use crate::analysis::effective;

/// Options that choose no configuration.
const OTHERS: [&str; 3] = ["preset", "list_presets", "explain_strategy"];

/// An option of the analysis as it is given, or as it could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub option: &'static Choice,
    /// None of an option without values.
    pub value: Option<String>,
}

/// An option of the analysis, and what it can be.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    id: String,
    pub name: String,
    /// In the order of the manual; of options with a number, some.
    pub values: Vec<String>,
    pub default: Option<String>,
    is_list: bool,
}

/// All options of the analysis, in order.
pub fn choices() -> &'static [Choice] {
    static ALL: std::sync::OnceLock<Vec<Choice>> = std::sync::OnceLock::new();
    ALL.get_or_init(|| {
        let mut command = AnalysisArgs::augment_args(clap::Command::new("analysis"));
        command.build();
        let known = |arg: &&clap::Arg| {
            let id = arg.get_id().as_str();
            !OTHERS.contains(&id) && id != "help"
        };
        let choice = |arg: &clap::Arg| {
            let takes_values = arg.get_action().takes_values();
            let listed = arg.get_possible_values();
            let values = match listed.is_empty() || !takes_values {
                true if takes_values => ["0", "1", "2"].map(str::to_owned).to_vec(),
                true => Vec::new(),
                false => listed.iter().map(|value| value.get_name().to_owned()).collect(),
            };
            let default = arg.get_default_values().first();
            Choice {
                id: arg.get_id().to_string(),
                name: format!("--{}", arg.get_long().unwrap_or_default()),
                values,
                default: default.map(|it| it.to_string_lossy().into_owned()),
                is_list: matches!(arg.get_action(), clap::ArgAction::Append),
            }
        };
        command.get_arguments().filter(known).map(choice).collect()
    })
}

/// What settings ask for; none if they cannot be read, which others complain about.
fn asked(settings: &[Setting]) -> Option<String> {
    let mut words = vec!["analysis".to_owned()];
    for Setting { option, value } in settings {
        words.push(match value {
            Some(value) => format!("{}={value}", option.name),
            None => option.name.clone(),
        });
    }
    let command = AnalysisArgs::augment_args(clap::Command::new("analysis"));
    let matches = command.try_get_matches_from(words).ok()?;
    Some(effective(&AnalysisArgs::from_arg_matches(&matches).ok()?))
}

/// The settings of a command line.
fn settings(given: &ArgMatches) -> Vec<Setting> {
    let mut settings = Vec::new();
    for option in choices().iter().filter(|option| is_given(given, &option.id)) {
        if option.values.is_empty() {
            settings.push(Setting { option, value: None });
            continue;
        }
        let values = given.get_raw(&option.id).into_iter().flatten();
        settings.extend(values.map(|value| {
            let value = Some(value.to_string_lossy().into_owned());
            Setting { option, value }
        }));
    }
    settings
}

/// The settings without the one at `at`, or with another in its place.
fn replaced(settings: &[Setting], at: usize, by: Option<Setting>) -> Vec<Setting> {
    let mut settings = settings.to_vec();
    match by {
        Some(other) => settings[at] = other,
        None => {
            settings.remove(at);
        }
    }
    settings
}

/// Whether the setting at `at` does nothing among these: no value of its option would make a difference, or
/// it does what an earlier value of the same option says. To name what happens anyway is no mistake.
fn is_idle(settings: &[Setting], at: usize) -> bool {
    let Setting { option, value } = &settings[at];
    let Some(now) = asked(settings) else { return false };
    let without = replaced(settings, at, None);
    let (Some(value), false) = (value, option.is_list) else {
        return asked(&without).as_ref() == Some(&now);
    };
    let with = |other: &String| {
        let setting = Setting { option, value: Some(other.clone()) };
        asked(&replaced(settings, at, Some(setting)))
    };
    let mut others = option.values.iter().filter(|other| *other != value);
    if others.all(|other| with(other).as_ref() == Some(&now)) {
        return true;
    }
    if option.default.as_ref() == Some(value) || !option.values.contains(value) {
        return false;
    }
    let mut earlier = option.values.iter().take_while(|other| *other != value);
    earlier.any(|other| other != "auto" && with(other).as_ref() == Some(&now))
}

/// What would make the setting at `at` do something: an option and some of its values.
fn needs(settings: &[Setting], at: usize) -> Option<(&'static Choice, Vec<String>)> {
    let own = settings[at].option;
    // What is given first: it is in the way.
    let given = settings.iter().map(|setting| setting.option);
    let candidates = given.chain(choices()).filter(|option| **option != *own);
    for option in candidates.filter(|option| !option.is_list) {
        let mut values = Vec::new();
        for value in &option.values {
            let setting = Setting { option, value: Some(value.clone()) };
            let mut changed = settings.to_vec();
            match changed.iter_mut().find(|other| other.option == option) {
                Some(other) => *other = setting,
                None => changed.push(setting),
            }
            if !is_idle(&changed, at) {
                values.push(value.clone());
            }
        }
        if !values.is_empty() {
            return Some((option, values));
        }
    }
    None
}

/// Refuses options that would do nothing, but for those that a preset chose.
pub fn refuse_idle_options(
    command: &mut clap::Command,
    given: &ArgMatches,
    chosen_by_preset: &[String],
) -> Result<(), clap::Error> {
    let settings = settings(given);
    for (at, Setting { option, value }) in settings.iter().enumerate() {
        if chosen_by_preset.contains(&option.name) || !is_idle(&settings, at) {
            continue;
        }
        let setting = match value {
            Some(value) => format!("{} {value}", option.name),
            None => option.name.clone(),
        };
        let message = match needs(&settings, at) {
            Some((other, values)) => {
                let values = values.join("|");
                format!("'{setting}' has no effect here: it needs '{} {values}'", other.name)
            }
            None => format!("'{setting}' has no effect beside the other options"),
        };
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    Ok(())
}
