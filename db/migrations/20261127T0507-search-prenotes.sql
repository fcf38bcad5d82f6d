-- Prenotes are found by the beginning of their number.

create index ach_prenotes_number_start on ach_prenotes (lower(number) text_pattern_ops);
