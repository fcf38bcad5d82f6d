-- Orders and filters that lists offer and that no index served: with a million rows each of them read
-- and sorted the table (bench/lists.ts). The ids of a page come from each of these alone.
create index licenses_category on licenses (category, updated_at desc, id desc) where deleted_at is null;
create index licenses_title on licenses (title_on_license collate "und-x-icu", id) where deleted_at is null;
create index licenses_total on licenses (grand_total_minor, id) where deleted_at is null;
create index licenses_balance on licenses (balance_minor, id) where deleted_at is null;
create index licenses_first_day on licenses (first_performance_on, id) where deleted_at is null;
create index licenses_numbers on licenses (number, id) where deleted_at is null;
create index licenses_created on licenses (created_at desc, id desc) where deleted_at is null;

-- The same of materials: in the order of their numbers within a category or a sub-category, and what is out of use.
create index materials_category_number on materials (category, item_number, id) where deleted_at is null;
create index materials_sub_category_number on materials (sub_category, item_number, id) where deleted_at is null;
create index materials_inactive on materials (item_number, id) where not active and deleted_at is null;
