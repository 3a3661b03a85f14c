use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use tonic::{Code, Status};
use tonic_types::StatusExt;

/// What docs/errors.md promises about one reason.
#[derive(Default, Debug)]
pub(super) struct Entry {
    code: String,
    /// Metadata that always come.
    always: BTreeSet<String>,
    /// Metadata that come with some refusals.
    sometimes: BTreeSet<String>,
    /// Details that always come.
    details: BTreeSet<String>,
    /// Details that come with some refusals.
    some_details: BTreeSet<String>,
    /// The items that the entry has.
    pub(super) items: BTreeSet<String>,
}

/// The values that come with each rule code of a game.
pub(super) type Rules = BTreeMap<String, BTreeSet<String>>;

/// The reasons on the page, which are its headings of the third rank.
pub(super) fn page() -> BTreeMap<String, Entry> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/errors.md");
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    // An item goes on in the lines that are indented.
    let text = text.replace("\n  ", " ");
    let mut entries = BTreeMap::new();
    for section in text.split("\n### ").skip(1) {
        let section = section.split("\n## ").next().unwrap_or(section);
        let (name, items) = section.split_once('\n').expect("a heading and its items");
        let mut entry = Entry::default();
        for item in items.lines().filter_map(|line| line.strip_prefix("- ")) {
            let (what, says) = item.split_once(": ").unwrap_or_else(|| panic!("{name}: {item}"));
            entry.read(what, says);
        }
        assert!(entries.insert(name.to_owned(), entry).is_none(), "{name} is on the page twice");
    }
    entries
}

impl Entry {
    fn read(&mut self, what: &str, says: &str) {
        let quoted = || says.split('`').skip(1).step_by(2).map(str::to_owned);
        // A list is parted by semicolons; what else is quoted are examples of values.
        let names = || {
            let parts = says.split(';').filter_map(|part| part.trim().strip_prefix('`'));
            parts.filter_map(|part| part.split('`').next()).map(str::to_owned)
        };
        match what {
            "Code" => self.code = quoted().next().expect("a code"),
            "Metadata" => self.always = names().collect(),
            "Details" => self.details = quoted().collect(),
            what if what.starts_with("Metadata if") => self.sometimes.extend(names()),
            what if what.starts_with("Details if") => self.some_details.extend(quoted()),
            "When" | "Do" => {}
            what => panic!("an item that is not known: {what}"),
        }
        self.items.insert(what.split(" if").next().unwrap_or(what).to_owned());
    }

    /// Asserts that a refusal of this reason is as the page says.
    #[track_caller]
    pub(super) fn check(&self, status: &Status, rules: &Rules) {
        assert_eq!(code_name(status.code()), self.code, "{status:?}");
        assert!(!status.message().is_empty() && !status.message().ends_with('.'), "{status:?}");
        self.check_metadata(status, rules);
        self.check_details(status);
    }

    #[track_caller]
    fn check_metadata(&self, status: &Status, rules: &Rules) {
        let details = status.get_error_details();
        let metadata = details.error_info().map(|info| info.metadata.clone()).unwrap_or_default();
        let names: BTreeSet<String> = metadata.keys().cloned().collect();
        assert!(names.is_superset(&self.always), "{metadata:?}, and the page says {self:?}");
        let mut known: BTreeSet<String> = self.always.union(&self.sometimes).cloned().collect();
        // Every stream that ends with an error says how far it was.
        known.extend(["last_sent_version", "last_sent_digest"].map(str::to_owned));
        if let (true, Some(rule)) = (self.always.contains("rule"), metadata.get("rule")) {
            let values = rules.get(rule).unwrap_or_else(|| panic!("the type does not list {rule}"));
            assert!(names.is_superset(values), "{rule} comes with {metadata:?}, the type lists {values:?}");
            known.extend(values.iter().cloned());
        }
        assert!(names.is_subset(&known), "{metadata:?}, and the page says {self:?}");
    }

    #[track_caller]
    fn check_details(&self, status: &Status) {
        let details = status.get_error_details();
        for (name, there) in
            [("BadRequest", details.bad_request().is_some()), ("RetryInfo", details.retry_info().is_some())]
        {
            let (always, sometimes) = (self.details.contains(name), self.some_details.contains(name));
            assert!(there || !always, "the page promises {name}: {status:?}");
            assert!(!there || always || sometimes, "the page has no {name}: {status:?}");
        }
        if let Some(request) = details.bad_request() {
            let violation = &request.field_violations[0];
            assert!(!violation.field.is_empty() && !violation.description.is_empty(), "{status:?}");
        }
    }
}

/// The name of a code as pages write it.
fn code_name(code: Code) -> &'static str {
    match code {
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::NotFound => "NOT_FOUND",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::Aborted => "ABORTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::DataLoss => "DATA_LOSS",
        Code::Unavailable => "UNAVAILABLE",
        Code::Internal => "INTERNAL",
        code => panic!("no reason has code {code:?}"),
    }
}
