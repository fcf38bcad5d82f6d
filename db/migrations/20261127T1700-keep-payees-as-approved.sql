-- Name and address of a payee are part of what is approved, as its bank details are.

alter table payments add column payee_sha256 text check (payee_sha256 ~ '^[0-9a-f]{64}$');
comment on column payments.payee_sha256 is
  'Hash of the name and address of the payee at the approval; null before that, and where it was approved earlier.';
