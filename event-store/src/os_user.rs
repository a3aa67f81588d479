//! Who runs Postgres: it refuses the administrator (uid 0), and many machines know no other user.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, lchown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command as uid 1000 of its own user namespace: no uid really changes, so no file has to change hands.
const NAMESPACE: [&str; 5] = [
    "unshare",
    "--user",
    "--map-user=1000",
    "--map-group=1000",
    "--",
];

/// Ends a command when the thread that spawned it ends, however it ends (Linux). Where signals were ignored when we began, as in
/// the background of a script, a shell could not hear this one.
const TIED: [&str; 6] = [
    "env",
    "--default-signal=INT",
    "setpriv",
    "--pdeathsig",
    "INT",
    "--",
];

/// Users that exist for such work, where namespaces are refused (some containers).
const STAND_INS: [&str; 2] = ["postgres", "nobody"];

/// Who runs Postgres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OsUser {
    /// We ourselves; we are not the administrator.
    AsIs,
    /// We, seen from inside a user namespace.
    UserNamespace,
    /// Another user (uid, gid), who gets the cluster's folder.
    Other(u32, u32),
}

impl OsUser {
    /// Who it is for this process. An administrator without a namespace or a stand-in is left [`Identity::AsIs`]: Postgres then says itself
    /// what is wrong.
    pub fn of_process() -> Self {
        if output_of("id", &["-u"]).as_deref() != Some("0") {
            return Self::AsIs;
        }
        if works(&NAMESPACE) {
            return Self::UserNamespace;
        }
        let id = |flag, name| output_of("id", &[flag, name])?.parse::<u32>().ok();
        STAND_INS
            .iter()
            .find_map(|name| Some(Self::Other(id("-u", name)?, id("-g", name)?)))
            .unwrap_or(Self::AsIs)
    }

    /// A command run by this identity, without input. `tied`: it is told to shut down when the calling thread ends.
    pub fn command(self, program: &Path, tied: bool) -> Command {
        let mut words: Vec<OsString> = Vec::new();
        if self == Self::UserNamespace {
            words.extend(NAMESPACE.map(OsString::from));
        }
        if tied && works(&TIED) {
            words.extend(TIED.map(OsString::from));
        }
        words.push(program.into());
        let mut words = words.into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).stdin(Stdio::null());
        if let Self::Other(uid, gid) = self {
            command.uid(uid).gid(gid);
        }
        command
    }

    /// Makes this identity the owner of `folder` and everything in it, if it is not.
    ///
    /// # Errors
    /// What the system says.
    pub fn take(self, folder: &Path) -> io::Result<()> {
        let (uid, gid) = match self {
            Self::AsIs => return Ok(()),
            Self::UserNamespace => (0, 0),
            Self::Other(uid, gid) => (uid, gid),
        };
        match fs::symlink_metadata(folder)?.uid() == uid {
            true => Ok(()),
            false => hand_over(folder, uid, gid),
        }
    }
}

/// The folder itself comes last, so that a hand-over cut short is begun again.
fn hand_over(path: &Path, uid: u32, gid: u32) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            hand_over(&entry?.path(), uid, gid)?;
        }
    }
    lchown(path, Some(uid), Some(gid))
}

/// Whether a prefix of a command works here.
fn works(prefix: &[&str]) -> bool {
    let mut words = prefix.iter().chain(&["true"]);
    let Some(program) = words.next() else {
        return false;
    };
    Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// What a command prints, trimmed, if it succeeds.
fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
