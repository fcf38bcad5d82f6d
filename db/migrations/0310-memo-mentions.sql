-- A memo names people as @[their id] (U25): a mention survives another name. Whoever reads it, searches it or takes it
-- away in a list sees the name of today, never the number.
create function memo_pieces(body text) returns table (place bigint, words text, user_id bigint)
  language sql stable as $$
  select 2 * n - 1, said, null::bigint from regexp_split_to_table(body, '@\[[0-9]{1,15}\]') with ordinality t (said, n)
  where said <> ''
  union all
  select 2 * n, '@' || coalesce(u.first_name || ' ' || u.last_name, 'somebody'), u.id
  from regexp_matches(body, '@\[([0-9]{1,15})\]', 'g') with ordinality m (found, n)
    left join users u on u.id = m.found[1]::bigint
  order by 1
$$;

create function memo_text(body text) returns text language sql stable as $$
  select case when strpos(body, '@[') = 0 then body
    else (select string_agg(words, '' order by place) from memo_pieces(body)) end
$$;
