// Mutation testing of rules of `domain`: `node scripts/mutants.mjs FILE... [--list] [--tests NAME]`.
//
// All faults are planted in one copy of the crate, each behind a number, and the tests are built once. They then run once a fault
// with its number in MUTANT: first without the properties, which take long, then with them. What no test sees is printed.
// The faults: a condition of `if`, of a match guard or of a closure is negated; `<` and `<=`, `plus` and `minus`, `min` and `max` are
// exchanged; a function answers at once with nothing.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const target = resolve(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "mutants");
const copy = join(target, "source");
const args = process.argv.slice(2);
const files = args.filter((one) => one.endsWith(".rs")).map((one) => relative(root, resolve(one)));
const listOnly = args.includes("--list");
if (files.length === 0) {
  console.error("usage: node scripts/mutants.mjs domain/src/FILE.rs... [--list]");
  process.exit(2);
}

const SUPPORT = `//! Faults behind numbers.
#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::restriction)]
use crate::money::{Amount, MoneyError};
fn active() -> u32 {
    static ACTIVE: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *ACTIVE.get_or_init(|| std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0))
}
pub fn is(number: u32) -> bool {
    active() == number
}
pub fn flag(number: u32, value: bool) -> bool {
    value != is(number)
}
pub fn less<T: PartialOrd>(number: u32, left: T, right: T) -> bool {
    if is(number) { left <= right } else { left < right }
}
pub fn at_most<T: PartialOrd>(number: u32, left: T, right: T) -> bool {
    if is(number) { left < right } else { left <= right }
}
pub trait MutantAmount {
    fn plus_mutant(self, number: u32, other: Amount) -> Result<Amount, MoneyError>;
    fn minus_mutant(self, number: u32, other: Amount) -> Result<Amount, MoneyError>;
}
impl MutantAmount for Amount {
    fn plus_mutant(self, number: u32, other: Amount) -> Result<Amount, MoneyError> {
        if is(number) { self.minus(other) } else { self.plus(other) }
    }
    fn minus_mutant(self, number: u32, other: Amount) -> Result<Amount, MoneyError> {
        if is(number) { self.plus(other) } else { self.minus(other) }
    }
}
pub trait MutantOrd: Ord + Sized {
    fn min_mutant(self, number: u32, other: Self) -> Self {
        if is(number) { self.max(other) } else { self.min(other) }
    }
    fn max_mutant(self, number: u32, other: Self) -> Self {
        if is(number) { self.min(other) } else { self.max(other) }
    }
}
impl<T: Ord> MutantOrd for T {}
`;

const OPEN = "([{";
const CLOSE = ")]}";

/// The end of what begins at `from`: the first of `stops` outside of all brackets, or the bracket that closes around it.
function endOf(text, from, stops) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++;
      continue;
    }
    if (letter === "'" && /^'(\\.|[^\\'])'/.test(text.slice(at, at + 4))) {
      at += text.slice(at).match(/^'(\\.|[^\\'])'/)[0].length - 1;
      continue;
    }
    if (text.startsWith("//", at)) {
      at = text.indexOf("\n", at);
      continue;
    }
    if (depth === 0 && stops.some((stop) => text.startsWith(stop, at))) return at;
    if (OPEN.includes(letter)) depth++;
    if (CLOSE.includes(letter) && --depth < 0) return at;
  }
  return text.length;
}

/// What a function of this type answers at once; none where that is not known.
function answersOf(type) {
  const plain = type.trim();
  if (plain === "bool") return ["true", "false"];
  if (plain === "Amount") return ["Amount::ZERO"];
  if (/^(Vec|BTreeMap|BTreeSet|Option)</.test(plain) || /^u(32|64|size)$|^i64$/.test(plain)) return ["Default::default()"];
  const result = plain.match(/^Result<(.+),\s*\w+>$/s);
  if (result) return answersOf(result[1]).map((one) => `Ok(${one})`);
  return plain === "()" ? ["()"] : [];
}

/// The faults of a file, as insertions and replacements by place.
function faultsOf(text) {
  const faults = [];
  const add = (at, what, edits) => faults.push({ at, what, edits });
  const wrap = (from, to, what) =>
    add(from, what, [
      [from, from, (n) => `crate::mutants::flag(${n}, `],
      [to, to, () => ")"],
    ]);
  const tests = text.search(/#\[cfg\(test\)\]/);
  const code = tests < 0 ? text : text.slice(0, tests);
  const constant = [...code.matchAll(/\bconst fn [^;{]*\{/g)].map((found) => {
    const from = found.index + found[0].length;
    return [found.index, endOf(code, from, [])];
  });
  const plain = (at) =>
    !constant.some(([from, to]) => at >= from && at < to) && !/^\s*\/\//.test(code.slice(code.lastIndexOf("\n", at) + 1));
  const conditions = [];
  for (const found of code.matchAll(/\bif /g)) {
    const from = found.index + 3;
    const to = endOf(code, from, [" {", " =>", "\n            {", "\n        {", "\n                {"]);
    const condition = code.slice(from, to);
    if (!plain(from) || /\b(let|match) /.test(condition)) continue;
    conditions.push([from, to]);
    wrap(from, to, `not: ${condition}`);
  }
  for (const found of code.matchAll(/\.(filter|any|all|is_some_and|is_none_or|position|find|rfind|take_while|retain|partition)\(\|/g)) {
    const bar = code.indexOf("|", found.index + found[0].length);
    const from = bar + 2;
    const to = endOf(code, from, [","]);
    if (!plain(from)) continue;
    conditions.push([from, to]);
    wrap(from, to, `not: ${found[1]} ${code.slice(from, to)}`);
  }
  for (const found of code.matchAll(/([\w.:]+(?:\([\w.]*\))?(?:\.[\w]+(?:\([\w.]*\))?)*) (<=|<|>=|>) ([\w.:]+(?:\([\w.]*\))?(?:\.[\w]+(?:\([\w.]*\))?)*)/g)) {
    const [whole, left, operator, right] = found;
    if (!plain(found.index) || !conditions.some(([from, to]) => found.index >= from && found.index < to)) continue;
    const [a, b] = operator.startsWith("<") ? [left, right] : [right, left];
    const call = operator.endsWith("=") ? "at_most" : "less";
    add(found.index, `boundary: ${whole}`, [
      [found.index, found.index + whole.length, (n) => `crate::mutants::${call}(${n}, ${a}, ${b})`],
    ]);
  }
  for (const found of code.matchAll(/\.(plus|minus|min|max)\(/g)) {
    if (!plain(found.index) || code[found.index + found[0].length] === ")") continue;
    const at = found.index + 1;
    add(at, `${found[1]} exchanged: ${code.slice(code.lastIndexOf("\n", at) + 1, code.indexOf("\n", at)).trim()}`, [
      [at, at + found[0].length - 1, (n) => `${found[1]}_mutant(${n}, `],
    ]);
  }
  for (const found of code.matchAll(/^ *(?:pub(?:\([\w ]+\))? )?fn (\w+)/gm)) {
    const body = code.indexOf("{", found.index);
    const head = code.slice(found.index, body);
    const type = head.match(/\) -> (.+?)\s*(where[\s\S]*)?$/s)?.[1] ?? "()";
    if (!plain(found.index)) continue;
    for (const answer of answersOf(type.replace(/\s+/g, " ").trim())) {
      add(found.index, `${found[1]} answers ${answer}`, [
        [body + 1, body + 1, (n) => ` if crate::mutants::is(${n}) { return ${answer}; }`],
      ]);
    }
  }
  return faults;
}

function planted(text, faults) {
  const edits = faults.flatMap((fault) => fault.edits.map(([from, to, say]) => [from, to, say(fault.number)]));
  // outer insertions before inner ones at the same place, and none inside of what is replaced
  edits.sort((a, b) => b[0] - a[0] || b[1] - a[1]);
  let out = text;
  for (const [from, to, say] of edits) out = out.slice(0, from) + say + out.slice(to);
  return out;
}

const lineOf = (text, at) => text.slice(0, at).split("\n").length;
let number = 0;
let all = files.flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return faultsOf(text).map((fault) => ({ ...fault, file, line: lineOf(text, fault.at), number: ++number }));
});
if (listOnly) {
  for (const one of all) console.log(`${one.number} ${one.file}:${one.line} ${one.what.replace(/\s+/g, " ")}`);
  process.exit(0);
}

mkdirSync(copy, { recursive: true });
const tracked = execFileSync("git", ["ls-files", "Cargo.toml", "Cargo.lock", "domain", "docs/spec", "*/Cargo.toml"], { cwd: root, encoding: "utf8" });
for (const file of tracked.trim().split("\n")) cpSync(join(root, file), join(copy, file));
const manifest = readFileSync(join(root, "Cargo.toml"), "utf8").replace(/^((?:default-)?members) = \[[^\]]*\]/gm, '$1 = ["domain"]');
writeFileSync(join(copy, "Cargo.toml"), manifest);
const lib = readFileSync(join(root, "domain/src/lib.rs"), "utf8");
writeFileSync(join(copy, "domain/src/lib.rs"), `${lib}\n#[doc(hidden)]\npub mod mutants;\n`);
writeFileSync(join(copy, "domain/src/mutants.rs"), SUPPORT);

const cargo = (...of) =>
  spawnSync("cargo", of, {
    cwd: copy,
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...process.env, CARGO_TARGET_DIR: join(target, "build"), RUSTFLAGS: "--cap-lints allow", CARGO_PROFILE_DEV_OPT_LEVEL: "1" },
  });

// What does not compile is left out, and said.
for (let round = 0; ; round++) {
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    const uses = "#[allow(unused_imports)] use crate::mutants::{MutantAmount as _, MutantOrd as _};";
    const body = planted(text, all.filter((one) => one.file === file));
    const after = body.match(/^(\/\/!.*\n)*/)[0].length;
    writeFileSync(join(copy, file), `${body.slice(0, after)}${uses}${body.slice(after)}`);
  }
  const checked = cargo("check", "-p", "domain", "--message-format=json");
  const wrong = checked.stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line).message)
    .filter((one) => one?.level === "error")
    .flatMap((one) => one.spans.filter((span) => span.is_primary).map((span) => [span.file_name, span.line_start, span.line_end, one.message]));
  if (wrong.length === 0) {
    if (checked.status !== 0) throw new Error(checked.stderr);
    break;
  }
  if (round > 12) throw new Error(`does not compile:\n${wrong.map(String).join("\n")}`);
  const bad = (fault) => wrong.some(([file, from, to]) => file === fault.file && fault.line >= from - 1 && fault.line <= to);
  const left = all.filter((fault) => !bad(fault));
  if (left.length === all.length) throw new Error(`does not compile:\n${wrong.map(String).join("\n")}`);
  for (const one of all.filter(bad)) console.log(`left out ${one.file}:${one.line} ${one.what.replace(/\s+/g, " ")}`);
  all = left;
}
const built = cargo("test", "-p", "domain", "--tests", "--no-run", "--message-format=json");
if (built.status !== 0) throw new Error(built.stderr);
const programs = built.stdout
  .split("\n")
  .filter((line) => line.includes('"executable":"'))
  .map((line) => JSON.parse(line))
  .filter((one) => one.profile.test && !["house", "stored_names"].includes(one.target.name))
  .map((one) => ({ name: one.target.name, path: one.executable }));

function isSeen(mutant, ...of) {
  return programs.some(({ path }) => {
    const env = { ...process.env, MUTANT: String(mutant), PROPTEST_MAX_SHRINK_ITERS: "0", CARGO_MANIFEST_DIR: join(copy, "domain") };
    const run = spawnSync(path, [...of, "--skip", "the_program_prints"], { cwd: join(copy, "domain"), env, encoding: "utf8", maxBuffer: 1 << 30, timeout: 600_000 });
    return run.status !== 0;
  });
}
if (isSeen(0, "--skip", "properties") || isSeen(0, "properties")) throw new Error("the tests are red without a fault");
const survivors = [];
for (const [index, one] of all.entries()) {
  const seen = isSeen(one.number, "--skip", "properties") || isSeen(one.number, "properties");
  if (!seen) survivors.push(one);
  const say = `${one.file}:${one.line} ${one.what.replace(/\s+/g, " ")}`;
  if (!seen) console.log(`SURVIVES ${say}`);
  else if (process.stderr.isTTY) process.stderr.write(`\r${index + 1}/${all.length}`);
}
console.log(`${all.length} faults, ${survivors.length} seen by no test`);
process.exit(survivors.length === 0 ? 0 : 1);
