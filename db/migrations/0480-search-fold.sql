-- Every list is searched by the fold of names (0450-name-fold.sql), so that what is typed finds what is written
-- whatever apostrophes, dashes and letters each uses. search_fold stays for the keys of aliases.

-- Most texts are plain words: their fold is themselves in lower case.
alter function fold_name(text) rename to fold_any_name;
drop index royaltors_last_fold;
create function fold_name(t text) returns text
language plpgsql immutable parallel safe strict as $$
begin
  if t ~ '^[A-Za-z]+( [A-Za-z]+)*$' then return lower(t collate "C"); end if;
  return public.fold_any_name(t);
end
$$;

create index royaltors_last_fold on royaltors ((regexp_replace(fold_name(name), '^.* ', ''))) where deleted_at is null;

-- The folds of several texts beside each other: each for itself, so that a number does not grow into the next name.
create function search_words(variadic parts text[]) returns text
language plpgsql immutable parallel safe as $$
begin
  return coalesce((select string_agg(public.fold_name(p), ' ' order by place)
    from unnest(parts) with ordinality as given (p, place) where p <> ''), '');
end
$$;

-- A fold cheap enough for a million texts of the ledger: typed and typographic marks, accents, single letters.
create function ledger_fold(t text) returns text
language sql immutable parallel safe as $$
  select replace(replace(replace(replace(replace(lower(translate(normalize(t, NFKD),
    U&'\0141\0142\0110\0111\2010\2011\2012\2013\2014\2015\2212\00A0\2009\202F'
      '''\0060\00B4\2018\2019\201A\201B\2032\02BC"\201C\201D\201E.'
      '\0300\0301\0302\0303\0304\0306\0307\0308\030A\030B\030C\0323\0327\0328\00AD\200B\200E\200F',
    'LlDd-------   ')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ø', 'o'), ' & ', ' and ')
$$;

alter table customers drop column search_text, add column search_text text not null generated always as (
  search_words(number, name, legal_name, statement_email, phone, billing_address ->> 'postal_code')) stored;
create index customers_search on customers using gin (search_text gin_trgm_ops);
alter table venues drop column search_text, add column search_text text not null generated always as (
  search_words(number, name, address ->> 'locality', address ->> 'postal_code', phone)) stored;
create index venues_search on venues using gin (search_text gin_trgm_ops);
alter table shows drop column search_text, add column search_text text not null generated always as (
  search_words(show_code, title, authors_credit)) stored;
create index shows_search on shows using gin (search_text gin_trgm_ops);
alter table royaltors drop column search_text, add column search_text text not null generated always as (
  search_words(number, name, legal_name, pen_name, email, phone, address ->> 'postal_code')) stored;
create index royaltors_search on royaltors using gin (search_text gin_trgm_ops);
alter table invoices drop column search_text, add column search_text text not null generated always as (
  search_words(invoice_number, reference, billing_name, purchase_order_no)) stored;
create index invoices_search on invoices using gin (search_text gin_trgm_ops);
alter table materials drop column search_text, add column search_text text not null generated always as (
  search_words(item_number, name, instrument, isbn, ismn)) stored;
create index materials_search on materials using gin (search_text gin_trgm_ops);
alter table bom_templates drop column search_text, add column search_text text not null generated always as (
  search_words(name)) stored;
create index bom_templates_search on bom_templates using gin (search_text gin_trgm_ops);
alter table vendors drop column search_text, add column search_text text not null generated always as (
  search_words(number, name, legal_name, contact_name, email, phone, address ->> 'postal_code')) stored;
create index vendors_search on vendors using gin (search_text gin_trgm_ops);
alter table warehouses drop column search_text, add column search_text text not null generated always as (
  search_words(code, name, address ->> 'locality', address ->> 'postal_code')) stored;
create index warehouses_search on warehouses using gin (search_text gin_trgm_ops);
alter table sales_items drop column search_text, add column search_text text not null generated always as (
  search_words(item_number, name)) stored;
create index sales_items_search on sales_items using gin (search_text gin_trgm_ops);
alter table sales_orders drop column search_text, add column search_text text not null generated always as (
  search_words(number, ship_to_name)) stored;
create index sales_orders_search on sales_orders using gin (search_text gin_trgm_ops);
alter table perusals drop column search_text, add column search_text text not null generated always as (
  search_words(number)) stored;
create index perusals_search on perusals using gin (search_text gin_trgm_ops);

create or replace function license_search_text() returns trigger
language plpgsql as $$
begin
  new.search_text := search_words(new.number, new.license_number, new.show_code, new.title_on_license,
    new.producing_organisation, (select name from customers where id = new.customer_id));
  return new;
end $$;
create or replace function license_application_search_text() returns trigger
language plpgsql as $$
begin
  new.search_text := search_words(new.number, new.producing_organisation,
    (select name from customers where id = new.customer_id),
    (select string_agg(search_words(s.show_code, s.title), ' ' order by a.rank) from license_application_shows a
      join shows s on s.id = a.show_id where a.license_application_id = new.id));
  return new;
end $$;
alter table licenses disable trigger user;
update licenses t set search_text = search_words(t.number, t.license_number, t.show_code, t.title_on_license,
  t.producing_organisation, (select c.name from customers c where c.id = t.customer_id));
alter table licenses enable trigger user;
alter table license_applications disable trigger user;
update license_applications t set search_text = search_words(t.number, t.producing_organisation,
  (select c.name from customers c where c.id = t.customer_id),
  (select string_agg(search_words(s.show_code, s.title), ' ' order by a.rank) from license_application_shows a
    join shows s on s.id = a.show_id where a.license_application_id = t.id));
alter table license_applications enable trigger user;

-- The search over every kind: beginnings of names by their fold, words of the small kinds.
drop index licenses_title_start, customers_name_start, shows_title_start, royaltors_name_start, venues_name_start,
  vendors_name_start, materials_name_start, sales_items_name_start, invoices_name_start, users_name_start,
  ledger_accounts_search, add_ons_search, users_search;
create index licenses_title_start on licenses (fold_name(title_on_license) text_pattern_ops);
create index customers_name_start on customers (fold_name(name) text_pattern_ops);
create index shows_title_start on shows (fold_name(title) text_pattern_ops);
create index royaltors_name_start on royaltors (fold_name(name) text_pattern_ops);
create index venues_name_start on venues (fold_name(name) text_pattern_ops);
create index vendors_name_start on vendors (fold_name(name) text_pattern_ops);
create index materials_name_start on materials (fold_name(name) text_pattern_ops);
create index sales_items_name_start on sales_items (fold_name(name) text_pattern_ops);
create index invoices_name_start on invoices (fold_name(billing_name) text_pattern_ops);
create index users_name_start on users (fold_name(last_name) text_pattern_ops);
create index ledger_accounts_search on ledger_accounts using gin (search_words(code, name) gin_trgm_ops);
create index add_ons_search on add_ons using gin (search_words(name, key) gin_trgm_ops);
create index users_search on users using gin (search_words(first_name, last_name, email) gin_trgm_ops);
-- Payments are searched by their number and what the bank wrote.
create index payments_search on payments using gin (search_words(number, reference) gin_trgm_ops);
-- Applicants name the organization they belong to.
create index customers_legal_name_fold on customers (name_key(legal_name)) where deleted_at is null;
create index customer_aliases_fold on customer_aliases (name_key(alias));
