-- Facts for the public page of a title: cast by gender, notes on content, songs, versions, an excerpt, the territory.
alter table shows
  add column cast_women integer check (cast_women between 0 and 1000),
  add column cast_men integer check (cast_men between 0 and 1000),
  add column cast_any integer check (cast_any between 0 and 1000),
  add column content_notes text not null default '',
  add column songs text not null default '',
  add column versions text not null default '',
  add column excerpt text not null default '',
  add column territory text not null default '';
comment on column shows.cast_any is 'Roles that performers of any gender may play.';
comment on column shows.songs is 'One song on each line, in the order of the show.';
comment on column shows.versions is 'One version on each line.';
comment on column shows.excerpt is 'Pages of the text that anybody may read.';
comment on column shows.territory is 'Licensing territory in words; empty: the page names the country alone.';
