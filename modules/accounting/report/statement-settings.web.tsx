/** Settings of a statement besides its dates, kept in the address: comparison, parts; and its files. */
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { downloadFile } from '#web/data/download-file.ts';
import { SavedViewsMenu } from '#web/data/saved-views-menu.tsx';
import { FileSpreadsheet } from 'lucide-react';
import { useDivision } from '#web/layout/division.ts';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useSavedViews } from '#web/query/use-saved-views.ts';
import { BASIS_WORDS, COMPARE_WORDS, PART_WORDS, SCOPE_WORDS, statementEndpoints, type StatementName }
  from './statement-table.contract.ts';

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const COUNTS = [2, 3, 4, 5, 6, 8, 12].map((value) => ({ value, label: String(value) }));

/** Names that the statement takes from the address besides its days. */
const NAMES = ['scope', 'compare', 'periods', 'basis', 'by', 'show_id', 'customer_class_id'] as const;
const PLAIN: readonly string[] = ['none', 'accrual', 'division'];
export type StatementSettings = Record<string, string>;

export function useStatementSettings(): StatementSettings {
  const { values } = useQueryValues();
  return Object.fromEntries(NAMES.flatMap((name) => {
    const value = values.get(name);
    return value ? [[name, value]] : [];
  }));
}

/** True where the plain statement does not say what was asked for. */
export const hasColumns = (settings: StatementSettings): boolean =>
  Object.entries(settings).some(([name, value]) => name !== 'periods' && !PLAIN.includes(value));

export function StatementFields({ parts: splits, group }: { parts?: boolean; group?: boolean }) {
  const { values, set } = useQueryValues();
  const scope = values.get('scope') ?? 'division';
  const parts = splits && scope === 'division';
  const compare = values.get('compare') ?? 'none';
  const by = values.get('by') ?? 'none';
  const limited = values.get('show_id') ?? values.get('customer_class_id');
  const cash = values.get('basis') === 'cash';
  return (
    <>
      {group && by === 'none' && limited === null && !cash && (
        <AsyncSelect<string> label="Divisions" value={scope} options={optionsOf(SCOPE_WORDS)}
          onChange={(value) => set({ scope: value === 'group' ? value : null })} />
      )}
      {parts && (
        <AsyncSelect<string> label="Basis" value={cash ? 'cash' : 'accrual'} options={optionsOf(BASIS_WORDS)}
          onChange={(value) => set({ basis: value === 'cash' ? value : null })} />
      )}
      {by === 'none' && (
        <AsyncSelect<string> label="Compare with" value={compare} options={optionsOf(COMPARE_WORDS)}
          onChange={(value) => set({ compare: value === 'none' ? null : value })} />
      )}
      {compare === 'periods' && by === 'none' && (
        <AsyncSelect<number> label="Periods" value={Number(values.get('periods') ?? 4)} options={COUNTS}
          onChange={(value) => set({ periods: value === null ? null : String(value) })} />
      )}
      {parts && limited === null && (
        <AsyncSelect<string> label="One row for each" value={by} options={optionsOf(PART_WORDS)}
          onChange={(value) => set({ by: value === 'none' ? null : value, compare: null })} />
      )}
      {parts && limited !== null && (
        <ButtonLink href={`/admin/finance/profit-loss?${withoutPart(values)}`}>All shows and customers</ButtonLink>
      )}
      <StatementViews />
    </>
  );
}

/** No view of a statement keeps its days. */
const DAYS = ['from', 'to', 'as_of'];

/** Settings of the statement under a name, own and shared. */
function StatementViews() {
  const state = useSavedViews(true, DAYS);
  return state ? <SavedViewsMenu state={state} choices={undefined} of="report" /> : null;
}

function withoutPart(values: URLSearchParams): string {
  const rest = new URLSearchParams(values);
  rest.delete('show_id');
  rest.delete('customer_class_id');
  return rest.toString();
}

/** The statement on screen as PDF and as a workbook. */
export function StatementFiles({ statement, title, days }: { statement: StatementName; title: string;
  days: { from?: string | undefined; to?: string | undefined } }) {
  const [division] = useDivision();
  const settings = useStatementSettings();
  const href = (format: 'pdf' | 'xlsx'): string => `${statementEndpoints.file.path}?${new URLSearchParams({ statement,
    division, ...(days.from ? { from: days.from } : {}), ...(days.to ? { to: days.to } : {}), ...settings, format })}`;
  return (
    <>
      <PdfLink href={href('pdf')} title={title} fileName={`${title}.pdf`}>PDF</PdfLink>
      <ActionMenu label="Files" actions={[{ label: 'Workbook (XLSX)', icon: FileSpreadsheet,
        onSelect: () => void downloadFile(href('xlsx')) }]} />
    </>
  );
}
