/** Shares of a show, with the company’s own, as bars with their words (domain.md 3.2). */
import { useState } from 'react';
import { formatRate } from '#kernel/money/money.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { CATEGORY_LABELS } from '../catalogue-labels.web.ts';
import styles from '../catalogue.module.css';
import type { ShowRow } from '../show/show.contract.ts';
import { INCOME_LABELS, agreementEndpoints, type MatrixRowWire } from './agreement.contract.ts';

const SHADES = 4;

/** Lines with the same shares are one row: "Royalty, Late fee · Amateur and Professional". */
interface Group { key: string; row: MatrixRowWire; incomes: string[]; categories: string[] }

export function groupRows(rows: readonly MatrixRowWire[]): Group[] {
  const byIncome = new Map<string, Group>();
  for (const row of rows) {
    const key = `${row.category}|${JSON.stringify(row.shares)}`;
    const group = byIncome.get(key) ?? { key, row, incomes: [], categories: [row.category] };
    group.incomes.push(row.income_type);
    byIncome.set(key, group);
  }
  const merged = new Map<string, Group>();
  for (const group of byIncome.values()) {
    const key = `${group.incomes.join()}|${JSON.stringify(group.row.shares)}`;
    const same = merged.get(key);
    if (same) same.categories.push(...group.categories);
    else merged.set(key, { ...group, key });
  }
  const groups = [...merged.values()];
  const unshared = groups.filter((group) => group.row.shares.length === 0);
  const [first] = unshared;
  if (!first) return groups;
  const rest = { ...first, incomes: [...new Set(unshared.flatMap((group) => group.incomes))],
    categories: [...new Set(unshared.flatMap((group) => group.categories))] };
  return [...groups.filter((group) => group.row.shares.length > 0), rest];
}

/** As a sentence of its own. */
const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
const percent = (ppm: number): string => formatRate(BigInt(Math.round(ppm / 100) * 100));

export function ShareMatrix({ show }: { show: ShowRow }) {
  const [division, setDivision] = useState<string | null>(show.divisions[0] ?? 'US');
  const [on, setOn] = useState<string | null>(null);
  const read = useEndpoint(agreementEndpoints.matrix, { params: { showId: show.id }, query: {
    ...(division ? { division: division as 'US' } : {}), ...(on ? { on } : {}) } });
  const matrix = read.data?.data;
  const later = matrix?.dates.filter((day) => day > matrix.on) ?? [];
  return (
    <Section title="Shares" description="Income of this title by line, shared under the terms in force.">
      <div className={styles.filters}>
        <AsyncSelect label="Division" options={optionsOf(DIVISION_LABELS)} value={division} onChange={setDivision} />
        <DateField label="On" value={on ?? matrix?.on ?? null} onChange={setOn} />
      </div>
      {read.isError && !matrix && (
        <Callout tone="error" title="The shares could not be loaded">{read.error.message}</Callout>
      )}
      {!matrix && !read.isError && <Skeleton width={420} height={26} />}
      {matrix && groupRows(matrix.rows).map((group) => <Bar key={group.key} group={group} />)}
      {later[0] && <p className={styles.entryText}>{`The shares change next on ${formatDay(later[0])}.`}</p>}
    </Section>
  );
}

function Bar({ group }: { group: Group }) {
  const { row } = group;
  const whole = row.shares.length === 0;
  const every = group.incomes.length === Object.keys(INCOME_LABELS).length;
  const listed = group.incomes.map((income) => INCOME_LABELS[income as keyof typeof INCOME_LABELS]).join(', ');
  const names = whole ? 'Everything else' : every ? 'All income' : listed;
  const categories = group.categories.map((one) => CATEGORY_LABELS[one as keyof typeof CATEGORY_LABELS]).join(' and ');
  return (
    <div className={styles.matrixRow}>
      <p className={styles.matrixName}>{names}<small>{whole ? 'No term asks for it' : categories}</small></p>
      <div className={styles.bar} role="img" aria-label={row.in_words}>
        {row.shares.map((share, index) => (
          <span key={share.show_royaltor_id} className={styles.part} data-shade={index % SHADES}
            style={{ flexGrow: share.share_ppm, flexBasis: 0 }}
            title={`${share.royaltor_name}: ${percent(share.share_ppm)}`}>
            <span className={styles.partFigure}>{percent(share.share_ppm)}</span>
          </span>
        ))}
        {row.house_ppm > 0 && (
          <span className={styles.part} data-house="true" style={{ flexGrow: row.house_ppm, flexBasis: 0 }}
            title={`House: ${percent(row.house_ppm)}`}>
            <span className={styles.partWord}>House</span>
            <span className={styles.partFigure}>{percent(row.house_ppm)}</span>
          </span>
        )}
      </div>
      <p className={styles.matrixWords}>{sentence(row.in_words)}</p>
    </div>
  );
}
