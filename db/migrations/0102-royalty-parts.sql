-- A line of income is shared once; what of it becomes cost and what becomes due are parts of that sharing, so that
-- both end exactly on the shares (domain.md 2.10, 3.3). role line: the sharing itself; cost and due: a part of it or
-- a mirror; release: the royaltors' part of a deferred line in net presentation (accounting.md 2.2, 11b).
alter table royalty_allocations
  add column part_of_id bigint references royalty_allocations (id),
  add column role text not null default 'line' check (role in ('line', 'cost', 'due', 'release')),
  add check ((role = 'line') = (part_of_id is null));
create index royalty_allocations_part on royalty_allocations (part_of_id) where part_of_id is not null;
-- One sharing per invoice line, whoever asks at the same moment.
create unique index royalty_allocations_line on royalty_allocations (invoice_item_id)
  where part_of_id is null and invoice_item_id is not null;
