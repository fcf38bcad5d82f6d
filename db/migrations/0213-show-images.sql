-- Images of shows are drawn anew on arrival; what is kept is the size they were written in, so that pages leave room
-- for them before they are there.
alter table show_images
  add column width integer not null default 1 check (width between 1 and 20000),
  add column height integer not null default 1 check (height between 1 and 20000);
