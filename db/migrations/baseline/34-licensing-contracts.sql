-- The text of contracts, and its first version: a draft until counsel has approved it. Written once in American
-- English; divisions and categories choose their paragraphs, and British texts get British spelling.

create table contract_templates (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  category text not null check (category in ('Amateur', 'Pro')),
  version_no integer not null check (version_no >= 1),
  status text not null default 'draft' check (status in ('draft', 'in_use', 'retired')),
  clauses jsonb not null check (jsonb_typeof(clauses) = 'array' and jsonb_array_length(clauses) between 1 and 60),
  note text not null default '' check (length(note) <= 500),
  created_by_id bigint references users (id),
  in_use_since timestamptz,
  approved_at timestamptz,
  approved_by_id bigint references users (id),
  counsel text not null default '' check (length(counsel) <= 200),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, category, version_no),
  check ((status = 'draft') = (in_use_since is null)),
  check ((approved_at is null) = (approved_by_id is null) and (approved_at is null) = (counsel = '')),
  check (status <> 'draft' or approved_at is null)
);
comment on table contract_templates is
  'Versions of the contract text, per division and category. One is in use and at most one is being written; a '
  'version that has been in use is never changed, because contracts refer to it.';
comment on column contract_templates.clauses is
  'Sections with their paragraphs and the condition of each: packages/kernel/licensing/contract-form.ts.';
comment on column contract_templates.counsel is
  'Who approved the text; empty until then, and contracts say that it is a draft.';
create unique index contract_templates_in_use on contract_templates (division, category) where status = 'in_use';
create unique index contract_templates_draft on contract_templates (division, category) where status = 'draft';
create index contract_templates_author on contract_templates (created_by_id);
create index contract_templates_approver on contract_templates (approved_by_id);
grant select, insert, update, delete on contract_templates to app_rw;

create function guard_contract_template() returns trigger
language plpgsql as $$
declare
  free text[] := array['status', 'approved_at', 'approved_by_id', 'counsel', 'version', 'updated_at'];
begin
  if old.status = 'draft' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' or (to_jsonb(new) - free) <> (to_jsonb(old) - free)
      or (old.approved_at is not null and new.approved_at is distinct from old.approved_at)
      or (old.status, new.status) not in (('in_use', 'in_use'), ('in_use', 'retired'), ('retired', 'retired')) then
    raise exception 'contract template % has been in use: write a new version', old.id using errcode = '23514';
  end if;
  return new;
end $$;

create trigger guard_contract_template before update or delete on contract_templates
  for each row execute function guard_contract_template();

call maintain_updated_at('contract_templates');

-- The first text of every contract: ours, and a draft until counsel has approved it. Written once in American
-- English; divisions and categories choose their paragraphs, and British texts get British spelling. '*' means all;
-- 'US' means US and PROD, 'GB' means UK and EU.
create temporary table contract_text (
  clause integer, sort integer generated always as identity, heading text, divisions text, category text, met text,
  body text
) on commit drop;

insert into contract_text (clause, heading, divisions, category, met, body) values
(1, 'Parties', '*', '*', 'always', $$This contract is made between {licensor} ("Licensor") and {licensee} ("Licensee")
  on the offer {reference} of {offer_date}.$$),
(1, '', '*', '*', 'always', '{parties_table}'),
(1, '', '*', '*', 'always', $$Licensee presents the production under the name {producing_organization}. Notices under
  this contract are given in writing to the contacts named above, or through Licensee's portal.$$),

(2, 'Grant of rights', '*', '*', 'always', $$Licensor grants Licensee the right to present {work} (the "Work") in the
  following form: {rights}, in the {language} language, in {territory}, at the venues and on the dates named in this
  contract and at no others.$$),
(2, '', '*', '*', 'non_exclusive', 'This license is non-exclusive.'),
(2, '', '*', '*', 'exclusive', $$This license is exclusive: Licensor grants no one else rights to competing
  performances of the same kind.$$),
(2, '', '*', '*', 'exclusive', 'The exclusivity covers {exclusivity}.'),
(2, '', '*', '*', 'always', $${effect} Until then Licensee may not announce, advertise or rehearse the production or
  sell tickets to it.$$),
(2, '', '*', '*', 'always', $$All rights that this contract does not expressly grant are reserved to Licensor and the
  authors. Licensor represents that it has the authority to grant the rights granted here.$$),

(3, 'Performances, venues and prices', '*', '*', 'always', $$Licensee may present {performance_count}, {run}, as
  follows.$$),
(3, '', '*', '*', 'always', '{performances_table}'),
(3, '', '*', '*', 'always', $$The price of this license rests on the following seats and ticket prices.$$),
(3, '', '*', '*', 'always', '{seats_table}'),
(3, '', '*', '*', 'always', $$A change of venue, date, number of performances, seats or ticket prices needs Licensor's
  written consent before it is announced, and may change the amounts due.$$),
(3, '', '*', '*', 'always', 'Licensee may give no more than {max_performances}.'),
(3, '', '*', '*', 'always', 'The average number of seats over the run may not exceed {average_seat_cap}.'),
(3, '', '*', '*', 'always', 'No ticket may cost more than {ticket_price_cap}.'),

(4, 'Price', '*', '*', 'fixed_price', 'For the rights and materials Licensee pays Licensor {total} in all.'),
(4, '', '*', '*', 'percentage', $$For the rights and materials Licensee pays Licensor at least {total}, and the royalty
  that the next section describes.$$),
(4, '', '*', '*', 'always', '{price_table}'),
(4, '', '*', '*', 'always', 'The royalty includes a discount of {discount}.'),
(4, '', 'US', '*', 'always', $$Licensee also pays the sales and use taxes that apply, unless it gives Licensor a valid
  exemption certificate before the invoice is issued.$$),
(4, '', 'GB', '*', 'always', $$VAT is charged at the rate in force at the tax point. Licensee gives Licensor its VAT
  number before the invoice is issued if it is registered.$$),
(4, '', '*', '*', 'always', $$Licensee also pays a refundable security deposit of {refundable_deposit} on signing. It is
  not part of the price. Licensor returns it after the materials are back, less what Licensee then owes.$$),
(4, '', '*', '*', 'always', $$Of the price, {on_account} is paid on signing, on account.$$),

(5, 'Royalty', '*', '*', 'percentage', 'The royalty is worked out as follows.'),
(5, '', '*', '*', 'percentage', '{royalty_table}'),
(5, '', '*', '*', 'percentage', $$Gross includes every amount paid for admission by any channel, before any deduction
  that this section does not name. Complimentary tickets beyond the customary number count at their full price.$$),
(5, '', '*', '*', 'percentage', $$With each report Licensee gives Licensor the box-office statement of the venue.
  Where a
  report is missing 30 days after it was due, Licensor may invoice the royalty as if every seat had been sold, and
  corrects it when the report arrives.$$),
(5, '', '*', '*', 'fixed_price', 'The royalty is the fixed amount named in the price. No part of it depends on sales.'),
(5, '', '*', '*', 'fixed_price', $$Licensee reports the box office {report}. The report is for Licensor's records and
  its accounts to the authors.$$),

(6, 'Payment plan', '*', '*', 'always', 'The amounts are due as follows.'),
(6, '', '*', '*', 'always', '{payment_table}'),
(6, '', '*', '*', 'always', $$Payments are made in full, in the currency of this contract and without set-off, to the
  account named on Licensor's invoice.$$),

(7, 'Late payment', '*', '*', 'always', $$An amount paid after its due date bears interest of {late_interest} per month
  from the due date until it is paid.$$),
(7, '', 'US', '*', 'no_late_interest', $$No interest is agreed for late payment. Licensor keeps the rights that the law
  gives it.$$),
(7, '', 'GB', '*', 'no_late_interest', $$No rate of interest is agreed for late payment. Where the law provides for
  interest and recovery costs on late commercial payments, they apply.$$),
(7, '', '*', '*', 'always', $$While an amount is overdue, Licensor may hold back materials and access to digital
  materials, and need not issue the license.$$),

(8, 'Materials', '*', '*', 'materials_lent', $$Licensor lends Licensee the performance materials for this production
  only. They remain the property of Licensor and may not be copied, lent to others or used for another production.$$),
(8, '', '*', '*', 'always', '{materials_table}'),
(8, '', '*', '*', 'materials_lent', $$The materials are planned to ship on {ship_on}, once everything due by then has
  been paid.$$),
(8, '', '*', '*', 'materials_lent', $$Licensee returns all lent materials, complete and with markings erased, so that
  they arrive by {returns_due_on}. The carrier's receipt is proof of return.$$),
(8, '', '*', '*', 'materials_lent', $$Licensee pays the replacement price of each item that is lost, damaged, or not
  returned after a reminder. Where no price is listed, Licensor's current list price applies.$$),
(8, '', '*', '*', 'always', $$Digital materials are for the people of this production only. Access ends when the
  production does, and files may not be passed on or published.$$),

(9, 'Credits and billing', '*', '*', 'always', $$Licensee gives the following credits on posters, programs, websites
  and all other publicity that it controls. Sizes are measured against the title of the Work.$$),
(9, '', '*', '*', 'always', '{credits_table}'),
(9, '', '*', '*', 'always', $$Licensee's own name may appear no larger than {producer_billing} of the title.$$),
(9, '', '*', '*', 'always', 'The following line appears on the title page of the program: "{presenter_line}"'),
(9, '', '*', '*', 'always', 'The following text appears in the program: "{program_text}"'),
(9, '', '*', '*', 'logo_licensed', $$Licensee may use the logo of the Work supplied by Licensor. It may not be cropped,
  redrawn or combined with other artwork.$$),
(9, '', '*', '*', 'logo_not_licensed', $$The logo and artwork of the Work are not licensed and may not be used.$$),
(9, '', '*', 'Pro', 'always', $$Licensee sends Licensor proofs of the title page, poster and principal advertisements
  for approval before they are printed or published. Approval may not be withheld unreasonably.$$),

(10, 'Changes to the Work', '*', '*', 'always', '{changes}'),
(10, '', '*', '*', 'always', $$Licensee presents the Work as written. No words, music, settings, or ages or genders of
  characters may be changed, added or left out without Licensor's written consent.$$),
(10, '', '*', '*', 'replica_forbidden', $$Licensee may not reproduce the staging, design or choreography of any other
  production of the Work.$$),
(10, '', '*', 'Pro', 'always', $$Changes made with consent, by whomever they are made, belong to the authors of the
  Work.$$),

(11, 'Recording and streaming', '*', '*', 'no_recording', $$Licensee may not record the production in whole or in part,
  in sound or picture, and takes reasonable steps to stop audiences from doing so.$$),
(11, '', '*', '*', 'archival_recording', $$Licensee may make one recording for its own archive. It may not be sold,
  published, streamed or lent.$$),
(11, '', '*', '*', 'personal_recording', $$The company's families may record for personal, non-commercial use. No such
  recording may be sold or published.$$),
(11, '', '*', '*', 'streaming', $$Streaming is permitted only in the form granted above, through a service that limits
  access to ticket holders in the territory. Licensee reports each stream separately.$$),
(11, '', '*', '*', 'no_streaming', 'The production may not be broadcast or streamed.'),
(11, '', '*', '*', 'always', $$Licensee may use short excerpts, together no longer than three minutes, in news and
  publicity, if nobody is paid for it.$$),

(12, 'House seats and merchandise', '*', '*', 'always', $$On request Licensee holds {comps} for Licensor at each
  performance until 48 hours before it.$$),
(12, '', '*', '*', 'always', '{merchandise}'),
(12, '', '*', '*', 'always', $$Merchandise that uses the title, logo, characters or music of the Work needs a separate
  license.$$),

(13, 'Insurance and safety', '*', '*', 'always', '{insurance}'),
(13, '', '*', 'Amateur', 'no_insurance_terms', $$Licensee carries, or is covered by, liability insurance customary for
  its venue and production, and insures lent materials against loss while they are in its care.$$),
(13, '', 'US', 'Pro', 'no_insurance_terms', $$Licensee carries commercial general liability insurance of at least USD
  1,000,000 per occurrence, names Licensor and the authors as additional insureds, and gives evidence of it on
  request.$$),
(13, '', 'GB', 'Pro', 'no_insurance_terms', $$Licensee carries public liability insurance of at least 5,000,000 in the
  currency of this contract for each occurrence, notes the interest of Licensor and the authors on the policy, and gives
  evidence of it on request.$$),
(13, '', '*', '*', 'always', $$Licensee alone is responsible for the safety of the production, its company and its
  audience, and for the permits it needs.$$),

(14, 'Records and audit', '*', '*', 'always', $$Licensee keeps complete records of ticket sales, complimentary tickets
  and deductions for three years after the last performance.$$),
(14, '', '*', '*', 'audit', $$Licensor may audit the box-office records on reasonable notice during business hours. An
  amount found short is paid at once; where it is more than five percent of the amount due, Licensee also pays the
  reasonable cost of the audit.$$),

(15, 'Cancellation', '*', '*', 'always', $$Licensee may cancel by notice in writing or in its portal. What Licensor
  keeps and refunds then depends on the day of the notice. Amounts exclude tax; the tax on a refund is refunded with
  it.$$),
(15, '', '*', '*', 'always', '{cancellation_table}'),
(15, '', '*', '*', 'always', $$The table shows the amounts as if everything had been invoiced. What has not been
  invoiced by the day of the notice is not asked for. A security deposit is returned after the materials are back.$$),
(15, '', '*', '*', 'always', $$Once the run has begun, a performance that cannot be given is reported to Licensor within
  24 hours.$$),

(16, 'Termination', '*', '*', 'always', $$If Licensee breaches this contract and does not cure the breach within seven
  days of written notice, or before the next performance if that is sooner, Licensor may end this contract. Performances
  given without a valid license infringe copyright.$$),
(16, '', '*', 'Pro', 'always', $$Licensor may also end this contract if Licensee becomes insolvent or abandons the
  production. An advance is not returned.$$),
(16, '', '*', '*', 'always', $$When this contract ends, the rights return to Licensor, lent materials are returned, and
  amounts earned until then remain due.$$),

(17, 'Responsibility', '*', '*', 'always', $$Licensee indemnifies Licensor and the authors against claims by others that
  arise from its production, except so far as they arise from the Work as supplied. Licensor's liability is limited to
  the amounts paid under this contract. Nothing limits a liability that the law does not allow to be limited.$$),

(18, 'Assignment', '*', '*', 'always', $$Licensee may not assign this contract or sublicense the rights without
  Licensor's written consent. Licensor may assign it to a successor in the rights to the Work.$$),

(19, 'Special terms', '*', '*', 'always', '{other_terms}'),

(20, 'Governing law', '*', '*', 'always', $$This contract is governed by the law of {governing_law}, without regard to
  its rules on conflict of laws. The courts there have jurisdiction.$$),
(20, '', '*', '*', 'always', $$This contract, with its offer and later addenda, is the whole agreement of the parties.
  It is changed in writing only. If a term is invalid, the others remain in force.$$),
(20, '', 'US', '*', 'always', $$The parties agree to sign by electronic means. An electronic signature has the effect of
  a signature by hand (Electronic Signatures in Global and National Commerce Act).$$),
(20, '', 'UK', '*', 'always', $$The parties agree to sign by electronic means. An electronic signature has the effect of
  a signature by hand (Electronic Communications Act 2000). A person who is not a party to this contract has no right to
  enforce it.$$),
(20, '', 'EU', '*', 'always', $$The parties agree to sign by electronic means. An electronic signature is not denied
  legal effect because it is electronic (Regulation (EU) No 910/2014).$$);

-- cspell:ignore icense icence
-- The noun alone: the verb (sublicense, licensed) has an s in British English too.
create function pg_temp.british(text) returns text language sql immutable as $$
  select regexp_replace(regexp_replace(regexp_replace($1, '\m([Ll])icense\M', '\1icence', 'g'),
    '\mprogram\M', 'programme', 'g'), '\mprograms\M', 'programmes', 'g')
$$;

insert into contract_templates (division, category, version_no, status, in_use_since, note, clauses)
select d.code, k.category, 1, 'in_use', now(), 'First text', (
  select jsonb_agg(jsonb_build_object('heading', c.heading, 'paragraphs', c.paragraphs) order by c.clause)
  from (
    select t.clause, max(t.heading) as heading, jsonb_agg(jsonb_build_object('when', t.met, 'text',
      case when d.code in ('UK', 'EU') then pg_temp.british(t.plain) else t.plain end) order by t.sort) as paragraphs
    from (select *, regexp_replace(body, '\s+', ' ', 'g') as plain from contract_text) t
    where (t.divisions in ('*', d.code) or (t.divisions = 'US' and d.code = 'PROD')
        or (t.divisions = 'GB' and d.code in ('UK', 'EU'))) and t.category in ('*', k.category)
    group by t.clause) c)
from divisions d cross join (values ('Amateur'), ('Pro')) k (category)
where d.code in ('US', 'PROD', 'UK', 'EU');
