//! Writing results: to standard output, where a reader may have gone, or to a file, which appears
//! complete or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Where a result goes.
#[derive(Clone, Debug)]
pub enum Sink {
    Stdout,
    File(PathBuf),
}

/// Writes the output of `produce`. A reader that closes standard output is not an error.
pub fn write_to(
    sink: &Sink,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    match sink {
        Sink::Stdout => match write_buffered(io::stdout().lock(), produce) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            result => result.map_err(|error| format!("cannot write to standard output: {error}")),
        },
        Sink::File(path) => write_file(path, produce)
            .map_err(|error| format!("cannot write '{}': {error}", path.display())),
    }
}

/// The path of a file, with links resolved; or why it cannot be written.
pub fn place(path: &Path) -> Result<PathBuf, String> {
    let cannot = |why: &str| format!("cannot write '{}': {why}", path.display());
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(cannot("it is a directory")),
        Ok(_) => path.canonicalize().map_err(|error| cannot(&error.to_string())),
        Err(_) => {
            let directory = directory_of(path).canonicalize();
            let name = path.file_name().ok_or_else(|| cannot("it has no name"))?;
            Ok(directory.map_err(|_| cannot("there is no such directory"))?.join(name))
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn write_file(
    path: &Path,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // Devices and pipes are written in place: renaming over them would replace them. A symbolic
    // link stays, and the file behind it is replaced.
    let path = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => {
            return write_buffered(File::options().write(true).open(path)?, produce);
        }
        Ok(_) => path.canonicalize()?,
        Err(_) => path.to_owned(),
    };
    // The name of a temporary file that was not created does not help the user.
    let mut file = tempfile::Builder::new()
        .prefix(".ravelin-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(directory_of(&path))
        .map_err(|error| io::Error::from(error.kind()))?;
    write_buffered(file.as_file_mut(), produce)?;
    file.persist(&path)?;
    Ok(())
}

fn write_buffered(
    output: impl Write,
    produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let result = produce(&mut output).and_then(|()| output.flush());
    // A buffer tries to write its rest again when it is dropped; once is enough.
    let (_, _) = output.into_parts();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "hello")
    }

    #[test]
    fn a_file_is_replaced_through_a_link() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        fs::write(&file, "old").expect("writable");
        std::os::unix::fs::symlink(&file, &link).expect("writable");
        write_to(&Sink::File(link.clone()), hello).expect("writable");
        assert_eq!(fs::read_to_string(&file).expect("readable"), "hello\n");
        assert!(link.is_symlink());
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_alone() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let file = dir.path().join("file");
        fs::write(&file, "old").expect("writable");
        let failure = write_to(&Sink::File(file.clone()), |output| {
            output.write_all(&[b'x'; 1 << 20])?;
            Err(ErrorKind::StorageFull.into())
        });
        assert!(failure.is_err());
        assert_eq!(fs::read_to_string(&file).expect("readable"), "old");
        assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 1);
    }

    #[test]
    fn a_full_device_is_an_error_and_stays_a_device() {
        let full = Path::new("/dev/full");
        let message = write_to(&Sink::File(full.to_owned()), hello).expect_err("full");
        assert!(message.contains("/dev/full"), "{message}");
        assert!(!fs::metadata(full).expect("still there").is_file());
    }
}
