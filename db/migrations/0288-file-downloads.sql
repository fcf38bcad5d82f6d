-- PDFs that leave the house with a name on every page: files that a licence brings (domain.md 4 and 7: entitlement with
-- a limit of downloads, a watermark per licence, an end after the run), and files bought in the shop.

-- How often each file may be downloaded. A licence keeps what it was given, as with all of its copy.
alter table materials add column download_limit integer not null default 5 check (download_limit between 1 and 1000);
alter table license_materials add column download_limit integer not null default 5
  check (download_limit between 1 and 1000);

-- Who took which file when: counts against the limit, and proves whose copy one is. Written once.
create table file_downloads (
  id bigint generated always as identity primary key,
  license_id bigint references licenses (id),
  sales_order_id bigint references sales_orders (id),
  material_file_id bigint not null references material_files (id),
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  check (num_nonnulls(license_id, sales_order_id) = 1)
);
create index file_downloads_license on file_downloads (license_id, material_file_id, id) where license_id is not null;
create index file_downloads_order on file_downloads (sales_order_id, material_file_id, id)
  where sales_order_id is not null;
create index file_downloads_file on file_downloads (material_file_id);
create index file_downloads_user on file_downloads (user_id);
call make_append_only('file_downloads');

-- Staff allowed a file anew: downloads up to that one count no more.
create table file_download_resets (
  id bigint generated always as identity primary key,
  license_id bigint references licenses (id),
  sales_order_id bigint references sales_orders (id),
  material_file_id bigint not null references material_files (id),
  last_download_id bigint not null references file_downloads (id),
  reason text not null check (reason <> ''),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  check (num_nonnulls(license_id, sales_order_id) = 1)
);
create index file_download_resets_license on file_download_resets (license_id, material_file_id, id)
  where license_id is not null;
create index file_download_resets_order on file_download_resets (sales_order_id, material_file_id, id)
  where sales_order_id is not null;
create index file_download_resets_file on file_download_resets (material_file_id);
create index file_download_resets_download on file_download_resets (last_download_id);
create index file_download_resets_created_by on file_download_resets (created_by_id);
call make_append_only('file_download_resets');

grant select, insert on file_downloads, file_download_resets to app_rw;
