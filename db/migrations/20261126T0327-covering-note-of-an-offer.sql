-- The words that go out with an offer stay with it, for its email and the portal.

alter table licenses add column covering_note text check (length(covering_note) between 1 and 2000);
comment on column licenses.covering_note is
  'Words that went out with the current offer, in its email and in the portal; no part of what is signed.';
