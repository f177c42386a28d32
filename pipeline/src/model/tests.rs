mod bbox;
mod period;
mod query;
