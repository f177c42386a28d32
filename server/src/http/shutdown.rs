//! Word of the program's end, for what would otherwise go on: listening and event streams.

use tokio::sync::watch;

/// Tells all holders of its [`Shutdown`] to end, when called or dropped.
#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

pub fn channel() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), Shutdown(receiver))
}

impl ShutdownTrigger {
    pub fn end(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Resolves when the program is to end.
    pub async fn ended(mut self) {
        // an error says that the trigger is gone: an end as well
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}

/// Resolves at an interrupt (Ctrl-C) or a termination signal.
pub async fn signal() {
    let interrupt = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "interrupts cannot be heard");
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(error) => {
                tracing::warn!(%error, "termination signals cannot be heard");
                std::future::pending::<()>().await;
            }
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
