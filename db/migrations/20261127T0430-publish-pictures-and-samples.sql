-- Pictures are public only where staff say so, and have a small one for lists. Audio samples of a show.
alter table show_images
  add column public boolean not null default false,
  add column small_file_id bigint references files (id);
comment on column show_images.public is 'On the page of the title that anybody may open.';
comment on column show_images.small_file_id is 'The same picture for lists; null for older pictures.';
create index show_images_small_file on show_images (small_file_id);

create table show_samples (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  file_id bigint not null references files (id),
  title text not null check (title <> ''),
  sort integer not null default 0,
  public boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table show_samples is 'Audio samples of a show.';
comment on column show_samples.public is 'On the page of the title that anybody may open.';
create index show_samples_show on show_samples (show_id, sort, id);
create index show_samples_file on show_samples (file_id);
grant select, insert, update, delete on show_samples to app_rw;
