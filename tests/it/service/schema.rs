use std::{fs, path::Path};

use serde_json::{Map, Value};

/// A JSON Schema: as much of draft 2020-12 as docs/record.schema.json makes use of. A keyword that is
/// not known here is an error of the test, so that none goes unchecked.
pub(super) struct Schema(Value);

impl Schema {
    /// The published schema of records.
    pub(super) fn of_records() -> Schema {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/record.schema.json");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Schema(serde_json::from_str(&text).expect("the schema is JSON"))
    }

    /// What is wrong with a value, if anything is.
    pub(super) fn check(&self, value: &Value) -> Result<(), String> {
        check(&self.0, value, "record")
    }
}

fn check(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let schema = schema.as_object().expect("a schema is an object");
    schema.iter().try_for_each(|(keyword, wanted)| {
        let fits = match keyword.as_str() {
            "$schema" | "title" | "description" => true,
            "type" => is_of_type(value, wanted),
            "const" => value == wanted,
            "enum" => wanted.as_array().expect("a list").contains(value),
            "minLength" => length(value).is_none_or(|length| number(wanted) <= length),
            "maxLength" => length(value).is_none_or(|length| length <= number(wanted)),
            "minimum" => value.as_i64().is_none_or(|value| number(wanted) as i64 <= value),
            "maximum" => value.as_i64().is_none_or(|value| value <= number(wanted) as i64),
            "maxProperties" => value.as_object().is_none_or(|map| map.len() as u64 <= number(wanted)),
            "pattern" => value.as_str().is_none_or(|text| matches(text, wanted)),
            "required" => value.as_object().is_none_or(|map| has_all(map, wanted)),
            "items" => return check_each(wanted, value, at),
            "propertyNames" => return check_names(wanted, value, at),
            "properties" => return check_properties(wanted, value, at),
            "additionalProperties" => return check_others(schema, wanted, value, at),
            unknown => panic!("the schema has a keyword that is not checked: {unknown}"),
        };
        if fits { Ok(()) } else { Err(format!("{at}: {keyword} {wanted}")) }
    })
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        _ => panic!("a type that is not checked: {name}"),
    }
}

fn number(wanted: &Value) -> u64 {
    wanted.as_u64().expect("a whole number")
}

/// The length of a string in characters, which is what schemas count.
fn length(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}

fn has_all(map: &Map<String, Value>, names: &Value) -> bool {
    let names = names.as_array().expect("a list of names");
    names.iter().all(|name| map.contains_key(name.as_str().expect("a name")))
}

/// Patterns are those of one class of characters, such as `^[a-z0-9-]+$`.
fn matches(text: &str, pattern: &Value) -> bool {
    let class = pattern.as_str().and_then(|text| text.strip_prefix("^[")?.strip_suffix("]+$"));
    let class: Vec<char> =
        class.unwrap_or_else(|| panic!("an unchecked pattern: {pattern}")).chars().collect();
    let mut ranges = Vec::new();
    let mut rest = class.as_slice();
    loop {
        rest = match *rest {
            [first, '-', last, ref rest @ ..] => {
                ranges.push(first..=last);
                rest
            }
            [one, ref rest @ ..] => {
                ranges.push(one..=one);
                rest
            }
            [] => break,
        };
    }
    !text.is_empty() && text.chars().all(|character| ranges.iter().any(|range| range.contains(&character)))
}

fn check_each(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let items = value.as_array().into_iter().flatten();
    items.enumerate().try_for_each(|(index, item)| check(schema, item, &format!("{at}[{index}]")))
}

fn check_names(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let names = value.as_object().into_iter().flat_map(Map::keys);
    names.into_iter().try_for_each(|name| check(schema, &Value::from(name.clone()), &format!("{at}.{name}")))
}

fn check_properties(schemas: &Value, value: &Value, at: &str) -> Result<(), String> {
    let schemas = schemas.as_object().expect("schemas by name");
    let Some(map) = value.as_object() else { return Ok(()) };
    schemas.iter().try_for_each(|(name, schema)| match map.get(name) {
        Some(value) => check(schema, value, &format!("{at}.{name}")),
        None => Ok(()),
    })
}

/// Checks the properties that the schema has not named.
fn check_others(schema: &Map<String, Value>, wanted: &Value, value: &Value, at: &str) -> Result<(), String> {
    let named = |name: &String| {
        schema.get("properties").is_some_and(|properties| properties.get(name.as_str()).is_some())
    };
    let mut others = value.as_object().into_iter().flatten().filter(|(name, _)| !named(name));
    others.try_for_each(|(name, value)| match wanted {
        Value::Bool(false) => Err(format!("{at}: a property {name}")),
        schema => check(schema, value, &format!("{at}.{name}")),
    })
}
