//! Rejects options of the analysis without effect: the user has misunderstood such an option.
//!
//! There is no table of dependences between options. To decide whether an option has an effect,
//! this module tries its other values and compares the resulting configurations
//! ([`Config::effective`](ravelin_analysis::config::Config::effective)); to find what it needs, it
//! tries the values of other options.

use std::collections::HashMap;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, FromArgMatches};

use super::{AnalysisArgs, is_given};
use crate::analysis::effective;

/// Options that do not change the configuration.
const OTHERS: [&str; 3] = ["preset", "list_presets", "explain_strategy"];

/// An option of the analysis with a value, given or possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub option: &'static Choice,
    /// `None` for an option without values.
    pub value: Option<String>,
}

/// An option of the analysis and its possible values.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    id: String,
    pub name: String,
    /// In the order of the manual; for options with a number, some examples.
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

impl Setting {
    /// As one word of a command line.
    fn word(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={value}", self.option.name),
            None => self.option.name.clone(),
        }
    }
}

/// The configurations of settings tried so far.
#[derive(Debug, Default)]
struct Trials(HashMap<Vec<String>, Option<String>>);

impl Trials {
    /// The configuration of settings; `None` if they do not parse, which is reported elsewhere.
    fn asked(&mut self, settings: &[Setting]) -> Option<String> {
        let mut words: Vec<String> = settings.iter().map(Setting::word).collect();
        words.sort_unstable();
        let known = self.0.entry(words).or_insert_with_key(|words| {
            let command = AnalysisArgs::augment_args(clap::Command::new("analysis"));
            let words = std::iter::once("analysis").chain(words.iter().map(String::as_str));
            let matches = command.try_get_matches_from(words).ok()?;
            Some(effective(&AnalysisArgs::from_arg_matches(&matches).ok()?))
        });
        known.clone()
    }

    /// Whether the setting at `at` has no effect among these: no value of its option would make a
    /// difference, or it repeats an earlier value of the same option. Naming the default is
    /// accepted.
    fn is_idle(&mut self, settings: &[Setting], at: usize) -> bool {
        let Setting { option, value } = &settings[at];
        // Switching off what is off anyway is accepted, too: scripts do so to be sure.
        if value.as_deref() == Some("off") {
            return false;
        }
        let Some(now) = self.asked(settings) else { return false };
        let without = replaced(settings, at, None);
        let (Some(value), false) = (value, option.is_list) else {
            return self.asked(&without).as_ref() == Some(&now);
        };
        let mut with = |other: &String| {
            let setting = Setting { option, value: Some(other.clone()) };
            self.asked(&replaced(settings, at, Some(setting)))
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

    /// What would give the setting at `at` an effect: an option and some of its values.
    fn needs(&mut self, settings: &[Setting], at: usize) -> Option<(&'static Choice, Vec<String>)> {
        let own = settings[at].option;
        // Given options first: they are in the way.
        let given = settings.iter().map(|setting| setting.option);
        let candidates = given.chain(choices()).filter(|option| option.is_list || **option != *own);
        for option in candidates {
            let mut values = Vec::new();
            for value in &option.values {
                let setting = Setting { option, value: Some(value.clone()) };
                let mut changed = settings.to_vec();
                match changed.iter_mut().find(|other| other.option == option && !option.is_list) {
                    Some(other) => *other = setting,
                    None => changed.push(setting),
                }
                if !self.is_idle(&changed, at) {
                    values.push(value.clone());
                }
            }
            if !values.is_empty() {
                return Some((option, values));
            }
        }
        None
    }
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

/// Rejects options without effect, except those of a preset.
pub fn refuse_idle_options(
    command: &mut clap::Command,
    given: &ArgMatches,
    chosen_by_preset: &[String],
) -> Result<(), clap::Error> {
    let (settings, mut trials) = (settings(given), Trials::default());
    for (at, Setting { option, value }) in settings.iter().enumerate() {
        if chosen_by_preset.contains(&option.name) || !trials.is_idle(&settings, at) {
            continue;
        }
        let setting = match value {
            Some(value) => format!("{} {value}", option.name),
            None => option.name.clone(),
        };
        let message = match trials.needs(&settings, at) {
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::ffi::OsString;

    use super::*;

    /// Every setting that is not the default.
    fn all_settings() -> Vec<Setting> {
        let mut all = Vec::new();
        for option in choices() {
            if option.values.is_empty() {
                all.push(Setting { option, value: None });
            }
            let others =
                option.values.iter().filter(|value| option.default.as_ref() != Some(value));
            all.extend(others.map(|value| Setting { option, value: Some(value.clone()) }));
        }
        all
    }

    /// The options that have no effect beside a setting, and the values of others that only repeat
    /// the default.
    #[test]
    fn of_any_two_options_both_have_an_effect() {
        let all = all_settings();
        let mut trials = Trials::default();
        let mut idle: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let (mut named, mut accepted, mut refused) = (BTreeSet::new(), 0, Vec::new());
        for (number, first) in all.iter().enumerate() {
            for second in &all[number + 1..] {
                if first.option == second.option && !first.option.is_list {
                    continue;
                }
                let pair = [first.clone(), second.clone()];
                let both = trials.asked(&pair).expect("well-formed");
                let mut is_refused = false;
                for at in [0, 1] {
                    let (own, other) = (&pair[at], &pair[1 - at]);
                    // An option without effect alone is rejected beside every setting that does not
                    // help.
                    if trials.is_idle(&pair, at) {
                        is_refused = true;
                        if !trials.is_idle(std::slice::from_ref(own), 0) {
                            idle.entry(other.word()).or_default().insert(own.word());
                        }
                    } else if trials.asked(std::slice::from_ref(other)) == Some(both.clone()) {
                        named.insert(format!("{} {}", other.word(), own.word()));
                    } else {
                        accepted += 1;
                    }
                }
                if is_refused {
                    refused.push(pair);
                }
            }
        }
        let mut found = String::new();
        for (beside, options) in &idle {
            let options: Vec<&str> = options.iter().map(String::as_str).collect();
            found += &format!("{beside}: {}\n", options.join(" "));
        }
        let alone = all.iter().filter(|it| trials.is_idle(std::slice::from_ref(*it), 0));
        let alone: Vec<String> = alone.map(Setting::word).collect();
        found += &format!("alone: {}\n", alone.join(" "));
        let named: Vec<String> = named.into_iter().collect();
        found += &format!("named: {}\n", named.join(", "));
        expect_test::expect_file!["idle.expected"].assert_eq(&found);
        assert!(accepted > 2000, "{accepted}");
        // Every rejection ends with a message about what the option needs.
        for pair in refused.iter().step_by(60) {
            let words = ["ravelin".to_owned(), "a.c".to_owned()].into_iter();
            let words = words.chain(pair.iter().map(Setting::word)).map(OsString::from);
            let error = super::super::parse(words.collect()).expect_err("an idle option");
            assert!(error.to_string().contains("has no effect"), "{error}");
        }
    }
}
