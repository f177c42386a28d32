//! Listening, until told to stop.

use std::{io, net::SocketAddr, time::Duration};

use axum::{Router, serve::ListenerExt};
use tokio::net::TcpListener;

use super::shutdown::Shutdown;

#[derive(Debug, thiserror::Error)]
#[error("The address {addr} cannot be listened on. Stop what listens there, or give another one with --addr.")]
pub struct ListenError {
    addr: SocketAddr,
    source: io::Error,
}

/// # Errors
/// The address is taken or not this machine's.
pub async fn listen(addr: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(addr).await.map_err(|source| ListenError { addr, source })
}

/// Answers until `shutdown`; what is under way then has `grace` to end.
///
/// # Errors
/// Connections can no longer be accepted.
pub async fn serve(listener: TcpListener, router: Router, shutdown: Shutdown, grace: Duration) -> io::Result<()> {
    let listener = listener.tap_io(|connection| {
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "a connection stays with delayed packets");
        }
    });
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let answering = axum::serve(listener, service).with_graceful_shutdown(shutdown.clone().ended());
    let cut_off = async {
        shutdown.ended().await;
        tokio::time::sleep(grace).await;
    };
    tokio::select! {
        result = async { answering.await } => result,
        () = cut_off => {
            tracing::warn!("some requests were still open and are cut off");
            Ok(())
        }
    }
}
