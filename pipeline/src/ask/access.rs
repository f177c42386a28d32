//! Who may do what with a round: its owner everything; others read it by a link that carries a key.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::{
    model::{
        conversation::OwnerId,
        round::{Access, Round, RoundId, RoundView},
    },
    ports::{ErrorKind, PortError, PortResult, Rounds},
};

/// HMAC-SHA256's block: a shorter key is filled up with zeros (RFC 2104).
const BLOCK: usize = 64;

/// Makes the keys of rounds and knows them again; nothing is stored.
#[derive(Clone)]
pub struct RoundKeys(Hmac<Sha256>);

impl RoundKeys {
    pub fn new(secret: &[u8; 32]) -> Self {
        let mut block = [0; BLOCK];
        block.iter_mut().zip(secret).for_each(|(to, from)| *to = *from);
        Self(Hmac::new(&block.into()))
    }

    /// What whoever has it may do with the round, as text for a query string.
    pub fn key(&self, access: Access, round: &RoundId) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.mac(access, round).finalize().into_bytes())
    }

    /// What a key allows, `None` when it is not one of this round.
    pub fn access(&self, round: &RoundId, key: &str) -> Option<Access> {
        let key = BASE64_URL_SAFE_NO_PAD.decode(key).ok()?;
        // compares in constant time
        [Access::Own, Access::Read].into_iter().find(|access| self.mac(*access, round).verify_slice(&key).is_ok())
    }

    fn mac(&self, access: Access, round: &RoundId) -> Hmac<Sha256> {
        let purpose: &[u8] = match access {
            Access::Own => b"own a round:",
            Access::Read => b"read a round:",
        };
        self.0.clone().chain_update(purpose).chain_update(&round.0)
    }
}

impl std::fmt::Debug for RoundKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RoundKeys")
    }
}

/// Who wants a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    pub visitor: Option<OwnerId>,
    /// Of [`RoundKeys::key`].
    pub key: Option<String>,
}

/// A round with what its caller may do.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub round: Round,
    pub access: Access,
    pub owner: Option<OwnerId>,
}

/// # Errors
/// `NotFound` for a round that is not there, and for one that is none of the caller's business: nobody learns which.
pub async fn open(rounds: &dyn Rounds, keys: &RoundKeys, id: &RoundId, caller: &Caller) -> PortResult<Opened> {
    let absent = || PortError::new(ErrorKind::NotFound, "open a round", "there is no such round");
    let round = rounds.round(id).await?.ok_or_else(absent)?;
    let owner = rounds.conversation(&round.conversation).await?.and_then(|conversation| conversation.owner);
    let by_key = caller.key.as_deref().and_then(|key| keys.access(id, key));
    let access = match (&owner, &caller.visitor) {
        (Some(owner), Some(visitor)) if owner == visitor => Some(Access::Own),
        // asked before visitors were told apart: its address was all it took, and stays good
        (None, _) => by_key.or(Some(Access::Read)),
        _ => by_key,
    };
    Ok(Opened { access: access.ok_or_else(absent)?, round, owner })
}

/// # Errors
/// As [`open`].
pub async fn view(rounds: &dyn Rounds, keys: &RoundKeys, id: &RoundId, caller: &Caller) -> PortResult<RoundView> {
    let Opened { round, access, owner } = open(rounds, keys, id, caller).await?;
    let events = rounds.events(id, 0).await?;
    let feedback = match owner {
        Some(owner) if access == Access::Own => rounds.feedback(id, &owner).await?,
        _ => None,
    };
    Ok(RoundView { round, events, access, share_key: keys.key(Access::Read, id), feedback })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_its_round_for_its_purpose_alone() {
        let (keys, others) = (RoundKeys::new(&[1; 32]), RoundKeys::new(&[2; 32]));
        let (a, b) = (RoundId("a".to_owned()), RoundId("b".to_owned()));
        for access in [Access::Own, Access::Read] {
            let key = keys.key(access, &a);
            assert_eq!(keys.access(&a, &key), Some(access));
            assert_eq!(keys.access(&b, &key), None);
            assert_eq!(others.access(&a, &key), None);
            let shorter = key.get(..key.len() - 1).unwrap();
            let (longer, padded) = (format!("{key}A"), format!("{key}="));
            for wrong in ["", shorter, &longer, &padded, &key.to_uppercase(), "ø"] {
                assert_eq!(keys.access(&a, wrong), None, "{wrong}");
            }
        }
    }

    /// The keys of shared links outlive versions.
    #[test]
    fn keys_stay_the_same() {
        let key = RoundKeys::new(&[7; 32]).key(Access::Read, &RoundId("0195".to_owned()));
        assert_eq!(key, "1WrMWnEGRqPX1U5YpfjX2qZckctr_hGQUcAtosmmejs");
    }
}
