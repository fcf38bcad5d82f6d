-- The search finds a goods receipt by the beginning of its number.
create index goods_receipts_number_start on goods_receipts (lower(number) text_pattern_ops);
