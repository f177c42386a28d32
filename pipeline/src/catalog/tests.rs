mod exports;
mod hostile;
mod imports;
mod real_files;
mod stand_ins;
mod validation;
