-- Customers upload their exemption certificates, which count once staff verify them, and are asked for addresses, VAT
-- number and certificate when their first admin signs in.
alter table tax_exemption_certificates
  add column uploaded_by_id bigint references users (id),
  add column refused_reason text not null default '';
update tax_exemption_certificates set refused_reason = 'Not accepted' where status = 'refused';
-- A renewed certificate often keeps its number.
alter table tax_exemption_certificates
  drop constraint tax_exemption_certificates_customer_id_country_state_number_key,
  add constraint tax_exemption_certificates_once
    unique nulls not distinct (customer_id, country, state, number, valid_from),
  add constraint tax_exemption_certificates_refused check (status <> 'refused' or refused_reason <> ''),
  add constraint tax_exemption_certificates_four_eyes check (verified_by_id <> uploaded_by_id);
comment on column tax_exemption_certificates.uploaded_by_id is 'Person of the customer; null where staff recorded it.';
comment on column tax_exemption_certificates.refused_reason is 'Told to the customer.';
create index tax_exemption_certificates_uploaded_by on tax_exemption_certificates (uploaded_by_id);
create index tax_exemption_certificates_pending on tax_exemption_certificates (customer_id)
  where status = 'pending';
alter table customers add column details_asked_at timestamptz;
comment on column customers.details_asked_at is
  'An admin answered or skipped the page of addresses and tax facts; null: it comes at the next sign-in.';
