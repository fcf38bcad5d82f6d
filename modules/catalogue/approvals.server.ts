/** Rate cards, BOM templates and bank details of royaltors that wait for a second person. */
import { isDeclined, waitingRows } from '#server/approval-source.ts';
import { waitingBankDetails } from '#server/sealed-details.ts';
import { sql, type Sql } from '#server/sql.ts';

const categoryWords = (category: Sql): Sql =>
  sql`case ${category} when 'Pro' then 'Professional' else ${category} end`;

export const waitingRateCards = (): Sql => waitingRows('rate_card', {
  from: sql`from rate_cards r left join shows s on s.id = r.show_id
    left join customer_classifications k on k.id = r.customer_classification_id
    where r.status = 'draft' and not ${isDeclined('rate_card', sql`r.id`, sql`r.version`)}`,
  entity_id: sql`r.id`, division: sql`r.division`,
  title: sql`'Rate card: ' || coalesce(s.title, 'All shows')`,
  detail: sql`concat_ws(' · ', nullif(r.name, ''), ${categoryWords(sql`r.category`)}, k.name,
    'from ' || to_char(r.effective_from,
    'Mon FMDD, YYYY'))`,
  asked_by_id: sql`r.author_id`, asked_at: sql`r.updated_at`,
  // The cards that price every show have no page of their own.
  href: sql`case s.type when 'musical' then '/admin/musicals/' || s.id || '/rate-cards'
    when 'play' then '/admin/plays/' || s.id || '/rate-cards' end`,
  params: sql`jsonb_build_object('id', r.id)`,
  approve_body: sql`jsonb_build_object('version', r.version)`,
  decline_body: sql`jsonb_build_object('version', r.version)`,
});

/** Takes the author of the waiting version from the audit. */
export const waitingBomTemplates = (): Sql => waitingRows('bom_template', {
  from: sql`from bom_templates b join shows s on s.id = b.show_id left join lateral (
      select a.actor_id, a.created_at from audit_events a where a.entity = 'bom_template' and a.entity_id = b.id
        and a.action in ('create', 'update') order by a.id desc limit 1) asked on true
    where b.approved_at is null and b.deleted_at is null
      and exists (select 1 from bom_template_lines l where l.bom_template_id = b.id)
      and not ${isDeclined('bom_template', sql`b.id`, sql`b.version`)}`,
  entity_id: sql`b.id`, division: sql`b.division`,
  title: sql`'BOM template: ' || b.name`, detail: sql`s.title || ' · ' || ${categoryWords(sql`b.category`)}`,
  asked_by_id: sql`asked.actor_id`, asked_at: sql`coalesce(asked.created_at, b.updated_at)`,
  href: sql`'/admin/templates/bom/' || b.id`,
  params: sql`jsonb_build_object('id', b.id)`,
  approve_body: sql`jsonb_build_object('version', b.version)`,
  decline_body: sql`jsonb_build_object('version', b.version)`,
});

export const waitingRoyaltorBank = (): Sql => waitingBankDetails('royaltor_bank', 'royaltors',
  { href: '/admin/royaltors/', division: null });
