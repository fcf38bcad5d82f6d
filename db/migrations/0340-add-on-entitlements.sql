-- What an add-on entitles to once it is on a licence (domain.md 4: "delivers entitlement(s)"): the files of materials,
-- and its use for a time. Which licence has which add-on stands in license_charges; from when until when is computed
-- from the phase and the days of the licence, so a postponed run, a hold or a cancellation is told in one place
-- (decision 15).

-- Days after the last performance that its use ends; two weeks as with the files of a licence.
alter table add_ons add column grace_days integer not null default 14 check (grace_days between 0 and 3650);

-- The downloads that an add-on brings. Live, not copied: a better edition reaches everybody who has the add-on.
create table add_on_materials (
  add_on_id bigint not null references add_ons (id),
  material_id bigint not null references materials (id),
  created_at timestamptz not null default now(),
  primary key (add_on_id, material_id)
);
create index add_on_materials_material on add_on_materials (material_id);
grant select, insert, delete on add_on_materials to app_rw;
