//! The OS user that runs Postgres, which refuses to run as root (uid 0); many machines have no other user.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, lchown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command as uid 1000 of a new user namespace: the real uid does not change, so no files change owner.
const NAMESPACE: [&str; 5] = [
    "unshare",
    "--user",
    "--map-user=1000",
    "--map-group=1000",
    "--",
];

/// Ends a command when the thread that spawned it ends, for whatever reason (Linux). A shell cannot do this where signals were
/// ignored at the start, as in the background of a script.
const TIED: [&str; 6] = [
    "env",
    "--default-signal=INT",
    "setpriv",
    "--pdeathsig",
    "INT",
    "--",
];

/// Existing system users, for environments without user namespaces (some containers).
const STAND_INS: [&str; 2] = ["postgres", "nobody"];

/// The user that runs Postgres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OsUser {
    /// The current user, which is not root.
    AsIs,
    /// The current user, inside a user namespace.
    UserNamespace,
    /// Another user (uid, gid), which becomes the owner of the cluster's folder.
    Other(u32, u32),
}

impl OsUser {
    /// The user for this process. A root process without namespaces and without another user gets [`OsUser::AsIs`]: Postgres then
    /// reports the problem itself.
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

    /// A command run as this user, without input. With `tied` it is shut down when the calling thread ends.
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

    /// Makes this user the owner of `folder` and its contents.
    ///
    /// # Errors
    /// I/O errors.
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

/// The folder itself comes last, so that an interrupted change of owner is repeated.
fn hand_over(path: &Path, uid: u32, gid: u32) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            hand_over(&entry?.path(), uid, gid)?;
        }
    }
    lchown(path, Some(uid), Some(gid))
}

/// Whether commands with this prefix run.
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

/// Trimmed output of a command, if it succeeds.
fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
