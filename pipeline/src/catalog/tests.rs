mod exports;
mod hostile;
mod imports;
#[cfg(feature = "embedded")]
mod pages;
mod real_files;
mod stand_ins;
mod validation;
