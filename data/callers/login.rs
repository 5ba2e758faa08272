//! A Rust program that signs its user in, using only the standard library. The arguments are those of tokentry login.
//!
//! Because the standard library cannot read JSON, it asks for the bare token. The exit status then says what went wrong,
//! and Tokentry has shown the message on standard error.

use std::io::Read;
use std::process::{Child, Command, ExitCode, Stdio};

/// The reasons for a missing token that this program tells apart.
enum Failure {
    Refused,
    Cancelled,
    LoginRequired,
    NotStarted(std::io::Error),
    Other(Option<i32>),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, text: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Refused => write!(text, "not signed in: the provider refused"),
            Self::Cancelled => write!(text, "cancelled"),
            Self::LoginRequired => write!(text, "the user has to sign in"),
            Self::NotStarted(error) => write!(text, "tokentry cannot be started: {error}"),
            Self::Other(Some(status)) => write!(text, "not signed in (status {status})"),
            Self::Other(None) => write!(text, "not signed in: tokentry was ended"),
        }
    }
}

/// A running login. Dropping it closes the window.
struct Login(Child);

impl Login {
    fn start(arguments: impl IntoIterator<Item = String>) -> Result<Self, Failure> {
        Command::new("tokentry")
            .args(["login", "--output", "token"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(Self)
            .map_err(Failure::NotStarted)
    }

    /// Waits for the user.
    fn token(mut self) -> Result<String, Failure> {
        let mut token = String::new();
        if let Some(output) = self.0.stdout.as_mut() {
            output.read_to_string(&mut token).map_err(Failure::NotStarted)?;
        }
        match self.0.wait().map_err(Failure::NotStarted)?.code() {
            Some(0) => Ok(token.trim_end().to_string()),
            Some(1) => Err(Failure::Refused),
            Some(3) => Err(Failure::Cancelled),
            Some(8) => Err(Failure::LoginRequired),
            other => Err(Failure::Other(other)),
        }
    }
}

impl Drop for Login {
    fn drop(&mut self) {
        // Tokentry notices that the reader of its output has gone, and closes its window.
        self.0.stdout.take();
        let _ = self.0.wait();
    }
}

fn main() -> ExitCode {
    match Login::start(std::env::args().skip(1)).and_then(Login::token) {
        Ok(token) => println!("signed in with a token of {} bytes", token.len()),
        Err(failure) => {
            eprintln!("{failure}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
