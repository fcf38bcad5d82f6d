-- Folding of names and texts for search: what people type finds what is written, whatever accents, quotes, dashes and
-- ligatures each uses. search_fold (01) remains for the keys of aliases.

-- One fold for all names, with or without the dots of H.M.S., with & or "and", with or without the spaces of phone
-- numbers and postal codes. packages/kernel/text/fold.ts does the same, and its test compares both. Null stays null.
create function fold_any_name(t text) returns text
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

-- Fold without spaces, for lookups of names in imports.
create function name_key(t text) returns text
language plpgsql immutable parallel safe strict as $$ begin return replace(public.fold_name(t), ' ', ''); end $$;

-- Fold of a name. Most names are plain words, whose fold is lower case.
create function fold_name(t text) returns text
language plpgsql immutable parallel safe strict as $$
begin
  if t ~ '^[A-Za-z]+( [A-Za-z]+)*$' then return lower(t collate "C"); end if;
  return public.fold_any_name(t);
end
$$;

-- Folds several texts side by side, each for itself, so that a number does not run into the next name.
create function search_words(variadic parts text[]) returns text
language plpgsql immutable parallel safe as $$
begin
  return coalesce((select string_agg(public.fold_name(p), ' ' order by place)
    from unnest(parts) with ordinality as given (p, place) where p <> ''), '');
end
$$;

-- Fold that is cheap enough for a million texts of the ledger: quotes, dashes, accents, single letters.
create function ledger_fold(t text) returns text
language sql immutable parallel safe as $$
  select replace(replace(replace(replace(replace(lower(translate(normalize(t, NFKD),
    U&'\0141\0142\0110\0111\2010\2011\2012\2013\2014\2015\2212\00A0\2009\202F'
      '''\0060\00B4\2018\2019\201A\201B\2032\02BC"\201C\201D\201E.'
      '\0300\0301\0302\0303\0304\0306\0307\0308\030A\030B\030C\0323\0327\0328\00AD\200B\200E\200F',
    'LlDd-------   ')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ø', 'o'), ' & ', ' and ')
$$;
