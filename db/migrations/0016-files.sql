-- Every stored file: one row per object in the file store. Bytes live under a random key outside the web root; access
-- follows the record that refers to the file (reliability.md 2.4). Issued documents must still match sha256 (I12).

create table files (
  id bigint generated always as identity primary key,
  storage_key text not null unique check (storage_key ~ '^[A-Za-z0-9/_-]{16,200}$'),
  sha256 sha256_hex not null,
  mime_type text not null check (mime_type ~ '^[a-z0-9.+-]+/[a-z0-9.+-]+$'),
  size_bytes bigint not null check (size_bytes between 0 and 26214400),
  original_name text not null check (length(original_name) between 1 and 255),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now()
);
create index files_sha256 on files (sha256);

call make_append_only('files');

grant select, insert on files to app_rw;
