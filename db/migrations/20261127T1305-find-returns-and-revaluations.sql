-- Opening balances, revaluations and tax returns have no number: the search finds them by their month, their division
-- and the words of their kind.

create function month_words(day date) returns text
language sql immutable parallel safe strict as $$
  select (array['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
    'November', 'December'])[extract(month from day)::int] || ' ' || extract(year from day)::int
$$;
comment on function month_words(date) is 'October 2026.';

-- The names of modules/reference/places; search.test.ts compares them.
create function state_words(state text) returns text
language sql immutable parallel safe strict as $$
  select coalesce('{"AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California",
    "CO": "Colorado", "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida",
    "GA": "Georgia", "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas",
    "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan",
    "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada",
    "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina",
    "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania", "RI": "Rhode Island",
    "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont",
    "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
    "AS": "American Samoa", "GU": "Guam", "MP": "Northern Mariana Islands", "PR": "Puerto Rico",
    "VI": "Virgin Islands"}'::jsonb ->> right(state, 2), right(state, 2))
$$;
comment on function state_words(text) is 'US-TX is Texas.';

create function opening_kind_words(kind text) returns text
language sql immutable parallel safe strict as $$
  select case kind when 'ledger' then 'Trial balance' when 'receivables' then 'Open invoices'
    when 'payables' then 'Open bills' when 'deposits' then 'Deposits held' when 'deferred' then 'Deferred income'
    when 'royaltors' then 'Royalties owed' when 'reserves' then 'Royalty reserves'
    when 'advances' then 'Advances to royaltors' when 'stock' then 'Stock' when 'banks' then 'Bank balances'
    else 'Next numbers' end
$$;
comment on function opening_kind_words(text) is 'As the list of opening balances calls the kind.';

create function tax_return_words(division text, state text) returns text
language sql immutable parallel safe as $$
  select case when state is null then division || ' VAT return'
    else public.state_words(state) || ' sales and use tax return' end
$$;
comment on function tax_return_words(text, text) is 'Title of a tax return.';

alter table opening_sets add column search_text text not null generated always as (
  search_words('Opening balances', opening_kind_words(kind), division, month_words(as_of))) stored;
create index opening_sets_search on opening_sets using gin (search_text gin_trgm_ops);

alter table revaluations add column search_text text not null generated always as (
  search_words('Revaluation', division, month_words(revalued_on))) stored;
create index revaluations_search on revaluations using gin (search_text gin_trgm_ops);

alter table tax_returns add column search_text text not null generated always as (
  search_words(tax_return_words(division, state), division, right(state, 2), month_words(period_from),
    month_words(period_to), receipt)) stored;
create index tax_returns_search on tax_returns using gin (search_text gin_trgm_ops);
