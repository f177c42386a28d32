//! DOIs and product codes in any dress.
