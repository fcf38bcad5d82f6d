-- Where vendors are paid and how the tax office knows them, as royaltors have it: AES-256-GCM ciphertext under the key
-- named by *_key_id; last4 is all that screens show. Source: domain.md 7 (vendor).
alter table vendors
  add column bank_account_encrypted bytea,
  add column bank_routing_encrypted bytea,
  add column bank_key_id text,
  add column bank_account_last4 text check (bank_account_last4 ~ '^[0-9A-Z]{1,4}$'),
  add column bank_verified_at timestamptz,
  add column tin_encrypted bytea,
  add column tin_key_id text,
  add column tin_last4 text check (tin_last4 ~ '^[0-9A-Z]{1,4}$'),
  add check (num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id) in (0, 3)),
  add check (num_nonnulls(tin_encrypted, tin_last4, tin_key_id) in (0, 3));
