-- One fold of names: what somebody types and what is written meet whatever apostrophes, quotes, dashes, accents and
-- ligatures each uses, with or without the dots of H.M.S., with & or "and", with or without the spaces of phone numbers
-- and postal codes. packages/kernel/text/fold.ts does the same, and its test holds both together. Null stays null.
create function fold_name(t text) returns text
language plpgsql immutable parallel safe strict as $$
declare
  plain text;
  words text;
begin
  plain := lower(normalize(replace(t, U&'\00B4', ''''), NFKD) collate "und-x-icu");
  -- Soft hyphens and what directs or joins characters without being seen.
  plain := regexp_replace(plain, '[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]', '', 'g');
  -- Accents, points and vowel signs that writers leave out.
  plain := regexp_replace(plain,
    '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670'
    '\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g');
  plain := translate(replace(replace(replace(replace(plain, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øłđðħıŧŋƒς', 'olddhitnfσ');
  words := translate(plain, U&'''\0060\2018\2019\201A\201B\2032\2035\02B9\02BB\02BC\02BD\02C8\02CA\02CB\05F3', '');
  -- What parts words: punctuation, symbols, spaces, control characters.
  words := regexp_replace(replace(words, '&', ' and '),
    '[\u0001-\u002d\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9'
    '\u00bb-\u00bf\u00d7\u00f7\u05be\u05c0\u05c3\u05c6\u060c\u061b\u061f\u066a-\u066d\u06d4'
    '\u0964\u0965\u2000-\u206f\u20a0-\u20bf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3006'
    '\u3008-\u3020\u3030\ufe30-\ufe6f\ufeff\ufffd]', ' ', 'g');
  -- H.M.S., J. B.
  words := regexp_replace(words,
    '(?<![^ .])([^0-9 .])\.(?:(?=[^0-9 .][ .]|[^0-9 .]$)| +(?=[^0-9 .]\.))', '\1', 'g');
  words := btrim(regexp_replace(words, '[. ]+', ' ', 'g'), ' ');
  if words = '' then
    return btrim(regexp_replace(plain, '[\u0001-\u0020\u00a0\u2000-\u200a\u3000]+', ' ', 'g'), ' ');
  end if;
  words := regexp_replace(words, '(?<=[0-9]) (?=[0-9])', '', 'g');
  -- WC2B 4DF, K1A 0B1, 1012 AB.
  words := regexp_replace(words, '(?<![^ ])([a-z]{1,2}[0-9][a-z0-9]?) ([0-9][a-z]{2})(?![^ ])', '\1\2', 'g');
  words := regexp_replace(words, '(?<![^ ])([a-z][0-9][a-z]) ([0-9][a-z][0-9])(?![^ ])', '\1\2', 'g');
  return regexp_replace(words, '(?<![^ ])([0-9]{4}) ([a-z]{2})(?![^ ])', '\1\2', 'g');
end
$$;

-- Imports look names up by their fold without its spaces, row by row.
create function name_key(t text) returns text
language plpgsql immutable parallel safe strict as $$ begin return replace(public.fold_name(t), ' ', ''); end $$;

create index shows_title_fold on shows (name_key(title)) where deleted_at is null;
create index show_aliases_fold on show_aliases (name_key(alias));
create index venues_name_fold on venues (name_key(name)) where deleted_at is null;
create index venues_town_fold on venues (coalesce(name_key(address ->> 'locality'), ''))
  where deleted_at is null and merged_into_id is null;
create index venue_aliases_fold on venue_aliases (name_key(alias));
create index royaltors_name_fold on royaltors (name_key(name)) where deleted_at is null;
create index royaltors_last_fold on royaltors ((regexp_replace(fold_name(name), '^.* ', ''))) where deleted_at is null;
create index royaltor_aliases_fold on royaltor_aliases (name_key(alias));
create index customers_name_fold on customers (name_key(name)) where deleted_at is null;
drop index royaltors_last_name;
drop index venues_town;
