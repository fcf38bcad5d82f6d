/** Columns of a box-office file, matched by the customer, by a known system, or by the words of the trade. */
import { foldHead } from '#modules/data-exchange/imports/import-field.contract.ts';
import type { FigureChoice } from '#modules/data-exchange/reading/reading.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

interface TicketingSystem { name: string; heads: Readonly<Record<string, string>> }

/**
 * Systems whose heads were read in the vendor's documentation. PatronBase: its support site, article 33000172331,
 * "Extracts Reports", Ticket Sales.
 */
const SYSTEMS: readonly TicketingSystem[] = [
  { name: 'PatronBase', heads: { venue: 'Venue', date: 'Production start date', show: 'Title', gross: 'Paid value',
    attendance: 'Paid count', complimentary: 'Complementary count' } },
];

const folded = (header: readonly string[]): string[] => header.map(foldHead);
const headsOf = (header: readonly string[]): string => folded(header).join('\n');

export interface SavedMap { choice: FigureChoice; by: 'remembered' | 'system'; system: string | null }

/** The customer's own map first, then the system that heads its columns like this. */
export async function savedMap(
  ctx: WorkContext, customerId: number, header: readonly string[],
): Promise<SavedMap | null> {
  const own = await ctx.db.maybeOne<{ columns: Record<string, number>; date_format: FigureChoice['date_format'] | null;
    decimal_style: FigureChoice['decimal_style'] | null }>(sql`
    select columns, date_format, decimal_style from box_office_column_maps
    where customer_id = ${customerId} and heads = ${headsOf(header)}`);
  if (own) {
    return { by: 'remembered', system: null, choice: { columns: own.columns, date_format: own.date_format ?? undefined,
      decimal_style: own.decimal_style ?? undefined } };
  }
  const heads = folded(header);
  const system = SYSTEMS.find((one) => Object.values(one.heads).every((head) => heads.includes(foldHead(head))));
  if (!system) return null;
  return { by: 'system', system: system.name, choice: { columns: Object.fromEntries(Object.entries(system.heads)
    .map(([field, head]) => [field, heads.indexOf(foldHead(head))])) } };
}

/** A person's choice for these heads stands for every later file of the customer that has them. */
export async function rememberMap(
  ctx: WorkContext, customerId: number, header: readonly string[], choice: FigureChoice & { columns: object },
): Promise<void> {
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into box_office_column_maps (customer_id, heads, columns, date_format, decimal_style)
    values (${customerId}, ${headsOf(header)}, ${JSON.stringify(choice.columns)}, ${choice.date_format ?? null},
      ${choice.decimal_style ?? null})
    on conflict (customer_id, heads_key) do update set columns = excluded.columns,
      date_format = coalesce(excluded.date_format, box_office_column_maps.date_format),
      decimal_style = coalesce(excluded.decimal_style, box_office_column_maps.decimal_style)
    returning id`);
  await ctx.audit({ action: 'map_columns', entity: 'box_office_column_map', entity_id: row.id,
    after: { columns: choice.columns } });
}
