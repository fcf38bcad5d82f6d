/** Rows that look like records we have: the same or another one, row by row or all of a reason at once. */
import { useState } from 'react';
import { countOf } from '#kernel/text/count.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { importEndpoints, type ImportDetail, type ImportRecord, type ProblemGroup } from './import.contract.ts';
import { reasonLabel } from './import-words.web.tsx';
import styles from './import.module.css';

interface AskedProps { group: ProblemGroup; row: ImportDetail }

export function AskedGroup({ group, row }: AskedProps) {
  const may = useMay();
  const [open, setOpen] = useState(false);
  const confirm = useAction(importEndpoints.confirm, { done: 'Kept. Process again to work these rows.' });
  const all = (decision: 'same' | 'new') => void confirm.run({ params: { id: row.id },
    body: { reason_code: group.reason_code, decision } });
  return (
    <li className={styles.asked}>
      <div className={styles.group}>
        <span className={styles.groupName}>
          <strong>{reasonLabel(group.reason_code)}</strong>
          <span className={styles.quiet}>{group.decided === group.count ? 'All answered'
            : `${group.count - group.decided} to answer`}</span>
        </span>
        <span className={styles.choices}>
          <Button size="small" variant="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide the rows' : 'Look at the rows'}
          </Button>
          {may('import.process') && (
            <>
              <Button size="small" pending={confirm.pending} onClick={() => all('same')}>All are the same</Button>
              <Button size="small" pending={confirm.pending} onClick={() => all('new')}>All are others</Button>
            </>
          )}
        </span>
        <span className={styles.amount}>{countOf(group.count, 'row')}</span>
      </div>
      {open && <AskedRows group={group} row={row} />}
    </li>
  );
}

const PAGE = 100;

function AskedRows({ group, row }: AskedProps) {
  const [page, setPage] = useState(1);
  const read = useEndpoint(importEndpoints.records, { params: { id: row.id },
    query: { status: 'refused', reason_code: group.reason_code, per_page: PAGE, page } });
  const rows = read.data?.data;
  if (read.error && !rows) {
    return <NotLoaded title="The rows could not be read" read={read} />;
  }
  if (!rows) return <div aria-busy="true" className={styles.group}><Skeleton width={260} /></div>;
  const more = group.count - page * PAGE;
  return (
    <>
      <ul className={styles.groups}>
        {rows.map((record) => <AskedRow key={`${record.id} ${record.decision}`} record={record} row={row} />)}
      </ul>
      {(more > 0 || page > 1) && (
        <div className={styles.more}>
          {page > 1 && <Button size="small" variant="quiet" onClick={() => setPage(page - 1)}>Rows before</Button>}
          {more > 0 && <Button size="small" variant="quiet" onClick={() => setPage(page + 1)}>Rows after</Button>}
        </div>
      )}
    </>
  );
}

function AskedRow({ record, row }: { record: ImportRecord; row: ImportDetail }) {
  const may = useMay();
  const confirm = useAction(importEndpoints.confirm);
  const say = (decision: 'same' | 'new') => void confirm.run({ params: { id: row.id },
    body: { reason_code: record.reason_code ?? '', row_nos: [record.row_no], decision } });
  const choices = [{ decision: 'same', text: 'The same' }, { decision: 'new', text: 'Another one' }] as const;
  return (
    <li className={styles.askedRow}>
      <span>
        <strong>{record.value}</strong>
        <span className={styles.hint}>Row {record.row_no}. {record.reason}</span>
        {confirm.failure && <span role="alert" className={styles.hint}>{confirm.failure.message}</span>}
      </span>
      <span className={styles.choices}>
        {!may('import.process') && record.decision && <Badge small tone="info">Answered</Badge>}
        {may('import.process') && choices.map(({ decision, text }) => (
          <Button key={decision} size="small" variant={record.decision === decision ? 'primary' : 'secondary'}
            aria-pressed={record.decision === decision} pending={confirm.pending} onClick={() => say(decision)}>
            {text}
          </Button>
        ))}
      </span>
    </li>
  );
}
