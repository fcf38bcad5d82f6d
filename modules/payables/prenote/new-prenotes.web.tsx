/** A new file of prenotes: the account, and the payees whose new bank details are asked about. */
import { useState } from 'react';
import { bankAccountEndpoints } from '#modules/banking/bank-account/bank-account.contract.ts';
import { bankAccountLabel } from '#modules/banking/bank-account/bank-account-field.web.tsx';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import styles from '../run/run.module.css';
import { prenoteEndpoints, type PrenoteCandidate } from './prenote.contract.ts';

const keyOf = (one: Pick<PrenoteCandidate, 'party_type' | 'party_id'>): string => `${one.party_type}:${one.party_id}`;

export default function NewPrenotes({ onClose }: { onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<number | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const refresh = useRefresh([prenoteEndpoints.list, prenoteEndpoints.candidates]);
  const accounts = (useEndpoint(bankAccountEndpoints.options, { query: {} }).data?.data ?? [])
    .filter((one) => one.currency === 'USD' && ['US', 'PROD'].includes(one.division));
  const account = accounts.find((one) => one.id === chosen) ?? accounts[0] ?? null;
  const read = useEndpoint(prenoteEndpoints.candidates, { query: { bank_account_id: account?.id ?? 0 } },
    { enabled: account !== null });
  const rows = read.data?.data ?? [];
  const payees = rows.filter((one) => !left.has(keyOf(one)));
  const form = useResourceForm({
    initial: { bank_account_id: null as number | null, payees: [] as object[] },
    submit: () => call(prenoteEndpoints.create, { body: { bank_account_id: account?.id ?? 0,
      payees: payees.map(({ party_type, party_id }) => ({ party_type, party_id })) } }, { idempotencyKey: key }),
    onSaved: ({ data }) => {
      toast(`${data.file_name} written. Download it and hand it in at the bank`);
      window.location.assign(`/api/admin/staff/accounting/ach_files/${data.id}/file`);
      void refresh();
      onClose();
    },
  });
  const wrong = form.field('payees').error;
  return (
    <Modal open onClose={onClose} title="New prenote file" width={560}>
      <FormFrame form={form} guard={false} aria-label="New prenote file">
        <AsyncSelect<number> label="Bank account" required {...form.field('bank_account_id')}
          value={account?.id ?? null} onChange={(id) => { setChosen(id); setLeft(new Set()); }}
          options={accounts.map((one) => ({ value: one.id, label: bankAccountLabel(one), children: one.division }))} />
        {read.isLoading && <Skeleton height={80} />}
        {read.error && <Callout tone="error" title="Payees could not be loaded" action={
          <Button size="small" onClick={() => void read.refetch()}>Try again</Button>}>{read.error.message}</Callout>}
        {read.data && rows.length === 0 && <EmptyState title="No new bank details"
          text="Every payee with verified US bank details has been sent a prenote or was paid by ACH." />}
        {rows.length > 0 && <Payees rows={rows} left={left} onChange={setLeft} />}
        {wrong && <Callout tone="error">{wrong}</Callout>}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}
            reason={payees.length === 0 ? 'Choose at least one payee' : undefined}>
            {`Write file, ${payees.length} ${payees.length === 1 ? 'prenote' : 'prenotes'}`}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function Payees({ rows, left, onChange }: { rows: readonly PrenoteCandidate[]; left: ReadonlySet<string>;
  onChange: (left: ReadonlySet<string>) => void }) {
  const all = left.size === 0;
  const turn = (key: string) => {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <fieldset className={styles.choices}>
      <legend className="gr-hidden">Payees</legend>
      <Checkbox label={`All ${rows.length}`} value={all} indeterminate={!all && left.size < rows.length}
        onChange={(on) => onChange(new Set(on ? [] : rows.map(keyOf)))} />
      {rows.map((one) => (
        <div key={keyOf(one)} className={styles.item}>
          <Checkbox label={`${one.name}, account …${one.last4}`} value={!left.has(keyOf(one))}
            onChange={() => turn(keyOf(one))} />
          <span className={styles.faint}>{`Verified ${formatDay(one.verified_at)}`}</span>
        </div>))}
    </fieldset>
  );
}
