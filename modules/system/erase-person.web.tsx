/** Erasing a person: one administrator asks, another carries it out. */
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { systemEndpoints, type ErasureRow } from './system.contract.ts';
import styles from './system.module.css';

export function ErasePerson() {
  const rows = useEndpoint(systemEndpoints.erasures, {}).data?.data ?? [];
  return (
    <Section title="Erase a person" count={rows.length || undefined}
      description="Account, sessions and settings go, and the audit shows “erased”. Contracts and books keep what the
        law demands. Another administrator has to carry out what one asks for.">
      <AskForm />
      {rows.length > 0 && <ul className={styles.rows}>{rows.map((row) => <Erasure key={row.id} row={row} />)}</ul>}
    </Section>
  );
}

const people = optionsFrom(systemEndpoints.people, (one) => ({ value: one.id, label: one.name, children: one.email }));

function AskForm() {
  const [person, setPerson] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const erase = useAction(systemEndpoints.erase, { refresh: [systemEndpoints.erasures], onDone: () => {
    toast('Asked for. Another administrator carries it out.');
    setPerson(null);
    setReason('');
  } });
  return (
    <div className={styles.inline}>
      <AsyncSelect label="Person" value={person} onChange={setPerson} source={people} />
      <TextField label="Reason" value={reason} onChange={setReason} maxLength={500}
        error={erase.failure?.fields.reason?.[0]} />
      <Button variant="danger" pending={erase.pending}
        reason={person === null ? 'Choose the person' : reason.trim() === '' ? 'Give a reason' : undefined}
        onClick={() => void erase.run({ params: { userId: person ?? 0 }, body: { reason } })}>Ask for erasure</Button>
    </div>
  );
}

function Erasure({ row }: { row: ErasureRow }) {
  const me = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const refresh = [systemEndpoints.erasures];
  const erase = useAction(systemEndpoints.erase, { refresh, done: 'Erased' });
  const cancel = useAction(systemEndpoints.cancelErasure, { refresh, done: 'Withdrawn' });
  const mine = me?.id === row.requested_by_id;
  return (
    <li>
      <strong>{row.person}</strong>
      <span>{row.reason}. Asked for by {row.requested_by}, {formatInstant(row.requested_at)}
        {row.done_by !== null && `; carried out by ${row.done_by}, ${formatInstant(row.done_at)}`}</span>
      {row.done_at !== null ? <Badge small>Erased</Badge> : (
        <>
          <Button size="small" variant="quiet" pending={cancel.pending}
            onClick={() => void cancel.run({ params: { id: row.id } })}>Withdraw</Button>
          <Button size="small" variant="danger" pending={erase.pending} onClick={() => setAsking(true)}
            reason={mine ? 'Another administrator has to do this' : undefined}>Erase</Button>
        </>
      )}
      <ConfirmDialog open={asking} danger title={`Erase ${row.person}?`} confirm="Erase for good"
        text={`${row.email} loses the account, and nobody can bring it back.`} onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false);
          void erase.run({ params: { userId: row.user_id }, body: { reason: row.reason } }); }} />
    </li>
  );
}
