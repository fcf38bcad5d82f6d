-- Customers' people (issue of identity; gaps G35, G84): who was invited into a house, and
-- which pending customer turned out to be one that was there already. Only hashes of tokens are stored, as in 0010.

-- An admin's (or staff's) invitation to one address. The address decides who may accept it; the role stands here and
-- never in the request that accepts it (reliability.md 1.3).
create table customer_invitations (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  role text not null check (role in ('admin', 'signer', 'member')),
  token_hash bytea not null check (length(token_hash) = 32),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'revoked')),
  invited_by_id bigint not null references users (id),
  accepted_by_id bigint references users (id),
  expires_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'accepted') = (accepted_by_id is not null))
);
create unique index customer_invitations_token on customer_invitations (token_hash);
-- Inviting the same address again renews the invitation that waits; there are never two.
create unique index customer_invitations_open on customer_invitations (customer_id, email) where status = 'pending';
create index customer_invitations_customer on customer_invitations (customer_id, created_at desc, id desc);
create index customer_invitations_invited_by on customer_invitations (invited_by_id);
create index customer_invitations_accepted_by on customer_invitations (accepted_by_id)
  where accepted_by_id is not null;

-- A house that signed up under another spelling is folded into the one that was there; it stays as a trace.
alter table customers add column merged_into_id bigint references customers (id) check (merged_into_id <> id);
create index customers_merged_into on customers (merged_into_id) where merged_into_id is not null;

call maintain_updated_at('customer_invitations');

grant select, insert, update on customer_invitations to app_rw;
