-- Licences in the order of their customers' names walk this index, customers in the trash included: their licences
-- stay in the list. A million licences were read and sorted for it before (bench/lists.ts).
drop index customers_name;
create index customers_name on customers (name collate "und-x-icu", id);
