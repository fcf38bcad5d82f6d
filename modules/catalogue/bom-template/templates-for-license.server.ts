/** BOM template reads for licensing: the approved ones that fit, and the newest approved version of one. */
import { rankTemplates, type LicenceFacts, type TemplateFacts } from '#kernel/materials/select-template.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { BomLineRow } from './bom-template.contract.ts';

export interface ApprovedTemplate extends TemplateFacts {
  name: string;
  show_id: number;
  classification_name: string | null;
  /** As they were approved; whether a material can be had is of today. */
  lines: BomLineRow[];
}

const COLUMNS = sql`t.id, t.name, t.show_id, t.category, t.customer_classification_id, t.division, t.cast_min,
  t.cast_max, t.orchestration, v.template_version, c.name as classification_name,
  coalesce((select jsonb_agg(l.line || jsonb_build_object('available', m.active and m.deleted_at is null,
      'name', m.name, 'item_number', m.item_number) order by l.n)
    from jsonb_array_elements(v.snapshot) with ordinality l (line, n)
      join materials m on m.id = (l.line ->> 'material_id')::bigint), '[]') as lines`;

/** Approved today, of this show, best first. */
export async function templatesFor(
  db: Queryable, showId: number, facts: LicenceFacts,
): Promise<ApprovedTemplate[]> {
  const rows = await db.query<ApprovedTemplate>(sql`
    select ${COLUMNS} from bom_templates t
      join bom_template_versions v on v.bom_template_id = t.id and v.template_version = t.template_version
      left join customer_classifications c on c.id = t.customer_classification_id
    where t.show_id = ${showId} and t.approved_at is not null and t.deleted_at is null`);
  return rankTemplates(rows, facts);
}

/** The newest version that was approved, also where the template is being edited or lies in the trash. */
export function newestApproved(db: Queryable, templateId: number): Promise<ApprovedTemplate | null> {
  return db.maybeOne<ApprovedTemplate>(sql`
    select ${COLUMNS} from bom_templates t join bom_template_versions v on v.bom_template_id = t.id
      left join customer_classifications c on c.id = t.customer_classification_id
    where t.id = ${templateId} order by v.template_version desc limit 1`);
}
