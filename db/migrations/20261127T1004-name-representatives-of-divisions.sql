-- The person whom customers of a division ask where a production has no representative.
alter table divisions add column representative_id bigint references users (id);
comment on column divisions.representative_id is
  'Member of staff named on papers and mails of productions without a representative; null: nobody.';
create index divisions_representative on divisions (representative_id);
grant update (representative_id) on divisions to app_rw;
