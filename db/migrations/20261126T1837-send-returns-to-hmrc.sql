-- VAT returns sent to HMRC (Making Tax Digital): the authorization of a division, and each attempt to send a return.

create table hmrc_connections (
  id bigint generated always as identity primary key,
  division text not null unique references divisions (code) check (division = 'UK'),
  environment text not null check (environment in ('sandbox', 'production')),
  state text not null default 'connected' check (state in ('connected', 'expired', 'revoked', 'disconnected')),
  access_token_encrypted bytea,
  refresh_token_encrypted bytea,
  token_key_id text,
  access_expires_at timestamptz,
  refreshing_until timestamptz,
  granted_by_id bigint not null references users (id),
  granted_at timestamptz not null,
  valid_until timestamptz not null check (valid_until > granted_at),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((state = 'connected') = (num_nonnulls(access_token_encrypted, refresh_token_encrypted, token_key_id,
    access_expires_at) = 4)),
  check (state = 'connected' or num_nonnulls(access_token_encrypted, refresh_token_encrypted, token_key_id,
    access_expires_at) = 0)
);
create index hmrc_connections_granter on hmrc_connections (granted_by_id);
create trigger touch_updated_at before update on hmrc_connections for each row execute function touch_updated_at();
comment on table hmrc_connections is
  'Authorization that HMRC gave the division. Tokens are sealed as bank details are, and gone once it ended.';
comment on column hmrc_connections.environment is 'The tokens of one environment are not known in the other.';
comment on column hmrc_connections.refreshing_until is
  'A refresh token works once: who sets this refreshes, everybody else waits for the new token.';
comment on column hmrc_connections.valid_until is 'HMRC ends an authorization 18 months after it was granted.';

create table hmrc_authorizations (
  id bigint generated always as identity primary key,
  division text not null references divisions (code) check (division = 'UK'),
  state_sha256 bytea not null unique check (length(state_sha256) = 32),
  redirect_uri text not null check (length(redirect_uri) <= 400),
  asked_by_id bigint not null references users (id),
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index hmrc_authorizations_asker on hmrc_authorizations (asked_by_id);
comment on table hmrc_authorizations is
  'A person on the way to HMRC and back. The state comes back in the address; only its hash is kept.';

create table hmrc_submissions (
  id bigint generated always as identity primary key,
  tax_return_id bigint not null references tax_returns (id),
  environment text not null check (environment in ('sandbox', 'production')),
  period_key text not null check (length(period_key) = 4),
  body jsonb not null check (jsonb_typeof(body) = 'object'),
  items jsonb not null check (jsonb_typeof(items) = 'array'),
  state text not null default 'sent' check (state in ('sent', 'accepted', 'refused', 'not_received')),
  refusal_code text check (length(refusal_code) <= 100),
  is_read_back boolean not null default false,
  form_bundle_number text check (length(form_bundle_number) <= 100),
  processing_date text check (length(processing_date) <= 40),
  charge_ref_number text check (length(charge_ref_number) <= 100),
  receipt_id text check (length(receipt_id) <= 100),
  sent_by_id bigint not null references users (id),
  sent_at timestamptz not null,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  check ((state = 'sent') = (answered_at is null)),
  check ((state = 'refused') = (refusal_code is not null)),
  check (state = 'accepted' or num_nonnulls(form_bundle_number, processing_date, charge_ref_number, receipt_id) = 0)
);
create unique index hmrc_submissions_live on hmrc_submissions (tax_return_id) where state in ('sent', 'accepted');
create index hmrc_submissions_return on hmrc_submissions (tax_return_id, id);
create index hmrc_submissions_sender on hmrc_submissions (sent_by_id);
comment on table hmrc_submissions is
  'Each time a return was sent to HMRC, stored before it leaves: an answer that was lost is read back, not sent again.';
comment on column hmrc_submissions.body is 'What was sent, under the names of HMRC’s VAT API 1.0.';
comment on column hmrc_submissions.items is 'What the sent figures take; the return is filed with these.';
comment on column hmrc_submissions.is_read_back is
  'HMRC’s answer was lost; the return was found there and is the same.';
comment on column hmrc_submissions.processing_date is 'As HMRC writes it.';

create function tg_hmrc_submissions_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state in ('sent', 'accepted') then
      raise exception 'submission % is at HMRC, or may be', old.id using errcode = '23514';
    end if;
    return old;
  end if;
  if old.state <> 'sent' or to_jsonb(new) - array['state', 'refusal_code', 'is_read_back', 'form_bundle_number',
      'processing_date', 'charge_ref_number', 'receipt_id', 'answered_at']
    <> to_jsonb(old) - array['state', 'refusal_code', 'is_read_back', 'form_bundle_number', 'processing_date',
      'charge_ref_number', 'receipt_id', 'answered_at']
  then
    raise exception 'submission % never changes', old.id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger hmrc_submissions_guard before update or delete on hmrc_submissions for each row
  execute function tg_hmrc_submissions_guard();
comment on function tg_hmrc_submissions_guard() is 'What was sent never changes; it takes one answer.';

grant select, insert, update on hmrc_connections, hmrc_authorizations to app_rw;
grant delete on hmrc_authorizations to app_rw;
grant select, insert, update, delete on hmrc_submissions to app_rw;
