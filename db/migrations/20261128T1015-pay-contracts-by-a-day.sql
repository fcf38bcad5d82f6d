-- Contracts said that a deposit is paid on signing, while pro forma, to-do list and reminders ask for it by a later day
-- with a reason. The contract now promises that day, what becomes of a contract that nobody pays, and the terms of
-- invoices. A text in use never changes, so each gets a new version. The house's own first text, which no counsel has
-- approved, is replaced by it; of a text that staff have written or counsel has approved the new version is a draft
-- for staff to put in use, if none is being written.
create temporary table contract_change (place integer, old text, new text) on commit drop;
insert into contract_change values
(1, 'security deposit of {refundable_deposit} on signing.', 'security deposit of {refundable_deposit} {pay_by}.'),
(2, 'Of the price, {on_account} is paid on signing, on account.', 'Of the price, {on_account} is paid on account '
  '{pay_by}.'),
(3, '{"text": "{payment_table}", "when": "always"}', '{"text": "{payment_table}", "when": "always"}, '
  '{"text": "Licensor asks for the amounts due before issue by pro forma as soon as Licensee has signed, and the pro '
  'forma names the day. If nothing has been paid by that day, this contract lapses, nothing is owed under it, and the '
  'dates are released.", "when": "paid_before_issue"}, '
  '{"text": "Licensee gives Licensor its purchase order {pay_by}. If Licensor has none by that day, this contract '
  'lapses, nothing is owed under it, and the dates are released. Licensor invoices when it issues the license, and its '
  'terms run from the date of the invoice.", "when": "purchase_order"}, '
  '{"text": "Licensor invoices when it issues the license, and its terms run from the date of the invoice.", '
  '"when": "signature_only"}'),
(4, 'to the account named on Licensor''s invoice.', 'in a way that Licensor''s pro forma or invoice names.'),
(5, 'The materials are planned to ship on {ship_on},', 'The first materials are planned to ship on {ship_on},');

-- cspell:ignore icense icence
create function pg_temp.promise_the_day(clauses jsonb, british boolean) returns jsonb language plpgsql as $$
declare
  said text := clauses::text;
  change record;
begin
  for change in select * from contract_change order by place loop
    said := replace(said, change.old, case when british then regexp_replace(change.new, '\m([Ll])icense\M', '\1icence',
      'g') else change.new end);
  end loop;
  return said::jsonb;
end $$;

create temporary table contract_next on commit drop as
select t.id, t.division, t.category, changed.clauses,
  (select max(v.version_no) + 1 from contract_templates v where v.division = t.division and v.category = t.category)
    as version_no,
  t.created_by_id is null and t.counsel = '' as is_first,
  exists (select 1 from contract_templates d where d.division = t.division and d.category = t.category
    and d.status = 'draft') as has_draft
from contract_templates t
cross join lateral (select pg_temp.promise_the_day(t.clauses, t.division in ('UK', 'EU')) as clauses) changed
where t.status = 'in_use' and changed.clauses <> t.clauses;

update contract_templates set status = 'retired', version = version + 1
where id in (select id from contract_next where is_first);

insert into contract_templates (division, category, version_no, status, in_use_since, note, clauses)
select division, category, version_no, case when is_first then 'in_use' else 'draft' end,
  case when is_first then now() end, 'Payments are due by the day that the pro forma names', clauses
from contract_next where is_first or not has_draft order by id;
