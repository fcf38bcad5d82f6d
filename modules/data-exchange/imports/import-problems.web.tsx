/** Rows left out, grouped by reason and name: say what a name stands for, decide second returns, process again. */
import { useState } from 'react';
import { countOf } from '#kernel/text/count.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import type { OptionSource } from '#web/controls/select/option.ts';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { showEndpoints } from '#modules/catalogue/show/show.contract.ts';
import { venueEndpoints } from '#modules/operations/venue/venue.contract.ts';
import { royaltorEndpoints } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { AskedGroup } from './import-asked.web.tsx';
import { ALIAS_KINDS, importEndpoints, type AliasKind, type ImportDetail, type ProblemGroup }
  from './import.contract.ts';
import { reasonLabel } from './import-words.web.tsx';
import styles from './import.module.css';

/** Groups shown before someone asks for all. */
const FEW = 8;

export function ProblemGroups({ row }: { row: ImportDetail }) {
  const may = useMay();
  const [all, setAll] = useState(false);
  const allowed = may('import.listRecords');
  const read = useEndpoint(importEndpoints.problems, { params: { id: row.id } }, { enabled: allowed });
  if (!allowed) return null;
  const groups = read.data?.data;
  const hidden = all ? 0 : Math.max(0, (groups?.length ?? 0) - FEW);
  return (
    <Section
      title="Left out"
      count={countOf(row.rows_refused, 'row')}
      record
      flush
      description={
        'Nothing was written for these rows. Put right what is wrong here, then process again; or download ' +
        'them, correct the file and import it.'
      }
    >
      {read.error && !groups && (
        <EmptyState
          role="alert"
          title="The reasons could not be read"
          text={read.error.message}
          action={<Button onClick={() => void read.refetch()}>Try again</Button>}
        />
      )}
      {!groups && !read.error && (
        <div aria-busy="true" className={styles.group}>
          <Skeleton width={200} />
        </div>
      )}
      <ul className={styles.groups}>
        {groups?.slice(0, all ? undefined : FEW).map((group) => (
          <Group key={`${group.reason_code} ${group.value}`} group={group} row={row} />
        ))}
      </ul>
      {hidden > 0 && (
        <div className={styles.more}>
          <Button size="small" variant="quiet" onClick={() => setAll(true)}>
            Show {hidden} more
          </Button>
        </div>
      )}
    </Section>
  );
}

function Group({ group, row }: { group: ProblemGroup; row: ImportDetail }) {
  const may = useMay();
  const kind = ALIAS_KINDS.find((one) => group.reason_code.endsWith(`_${one}`)) ?? null;
  const nameable = kind !== null && may(`${kind}.update`);
  if (group.asked) return <AskedGroup group={group} row={row} />;
  return (
    <li className={styles.group}>
      <span className={styles.groupName}>
        <strong>{reasonLabel(group.reason_code)}</strong>
        {group.value && <span className={`${styles.value} ${styles.quiet}`}>“{group.value}”</span>}
      </span>
      {kind && nameable && group.value
        ? <Alias kind={kind} alias={group.value} group={group} row={row} />
        : group.reason_code === 'second_return' && may('license.update') ? <Second row={row} group={group} />
          : <span className={styles.quiet}>{group.reason}</span>}
      <span className={styles.amount}>
        {countOf(group.count, 'row')}{group.count > 1 ? `, first ${group.first_row}` : `, number ${group.first_row}`}
      </span>
    </li>
  );
}

const source: Record<AliasKind, OptionSource<number>> = {
  show: optionsFrom(showEndpoints.list, (one) => ({ value: one.id, label: one.title, children: one.show_code })),
  venue: optionsFrom(venueEndpoints.list, (one) => ({ value: one.id, label: one.name,
    children: one.locality ?? undefined })),
  royaltor: optionsFrom(royaltorEndpoints.list, (one) => ({ value: one.id, label: one.name, children: one.number })),
};

/** "Ford Center (Tcn)" is another name of ... */
function Alias({ kind, alias, group, row }: {
  kind: AliasKind; alias: string; group: ProblemGroup; row: ImportDetail;
}) {
  const best = group.suggestions[0];
  const [target, setTarget] = useState<number | null>(best?.id ?? null);
  const [label, setLabel] = useState(best?.label);
  const [done, setDone] = useState(false);
  const add = useAction(importEndpoints.alias, {
    done: `“${alias}” is another name of ${label} from now on`, onDone: () => setDone(true),
  });
  if (done) return <span className={styles.quiet}>Another name of {label}. Process again to import its rows.</span>;
  return (
    <span className={styles.resolve}>
      <AsyncSelect<number> label={`Match for “${alias}”`} hideLabel value={target} selectedLabel={label}
        placeholder={`Choose the ${kind}`} source={source[kind]}
        error={add.failure?.fields.alias?.[0] ?? add.failure?.fields.target_id?.[0]}
        onChange={(value, option) => { setTarget(value); setLabel(option?.label); add.reset(); }} />
      <Button size="small" pending={add.pending} reason={target === null ? `Choose the ${kind} first` : undefined}
        onClick={() => void add.run({ params: { id: row.id }, body: { kind, alias, target_id: target ?? 0 } })}>
        Add as its alias
      </Button>
    </span>
  );
}

const PAGE = 100;

/** All second returns of this import at once; single ones are decided in a smaller file. */
function Second({ row, group }: { row: ImportDetail; group: ProblemGroup }) {
  const rows = useEndpoint(importEndpoints.records, { params: { id: row.id },
    query: { status: 'refused', reason_code: 'second_return', per_page: PAGE } });
  const decide = useAction(importEndpoints.decide, { done: 'Decided. Process again to import these rows.' });
  const numbers = (rows.data?.data ?? []).map((one) => one.row_no);
  const send = (decision: 'replace' | 'add') => void decide.run({ params: { id: row.id },
    body: { row_nos: numbers, decision } });
  const words = group.count > PAGE ? `the first ${PAGE} rows` : countOf(group.count, 'row');
  return (
    <span className={styles.resolve}>
      <span className={styles.quiet}>
        A return for the period is there with other figures. Say what {words} {group.count === 1 ? 'is' : 'are'}:
      </span>
      <Button size="small" pending={decide.pending} onClick={() => send('replace')}>Takes its place</Button>
      <Button size="small" pending={decide.pending} onClick={() => send('add')}>Adds to it</Button>
    </span>
  );
}
