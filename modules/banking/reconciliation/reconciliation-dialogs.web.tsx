/** Forms of reconciliation: its beginning, its closing balance, the other side of a line, a difference. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { ledgerAccountEndpoints } from '#modules/accounting/ledger-account/ledger-account.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { MATCHING } from '../banking-tabs.ts';
import { reconciliationEndpoints, type BankSideLine, type ReconciliationRow, type ReconciliationWork, type RunSide }
  from './reconciliation.contract.ts';

const useChanged = () => useRefresh([reconciliationEndpoints.work, reconciliationEndpoints.list]);
/** A balance that no imported statement has. */
const BY_HAND = 0;

type Statement = ReconciliationWork['statements'][number];
const statementLabel = (one: Statement): string => [`Through ${formatDay(one.to_on)}`, one.number].filter(Boolean)
  .join(', ');

export function StartForm({ work, onDone }: { work: ReconciliationWork; onDone: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useChanged();
  const first = work.statements[0] ?? null;
  const form = useResourceForm({
    initial: { statement: (first?.id ?? BY_HAND) as number | null, to_on: null as string | null,
      closing_minor: null as number | null },
    submit: ({ statement, to_on, closing_minor }) => {
      const byHand = (statement ?? BY_HAND) === BY_HAND;
      return call(reconciliationEndpoints.start, { body: { bank_account_id: work.account.id,
        bank_statement_id: byHand ? null : statement, to_on: byHand ? to_on : null,
        closing_minor: byHand ? closing_minor : null } }, { idempotencyKey: key });
    },
    onSaved: () => { void refresh(); onDone(); },
  });
  const byHand = (form.values.statement ?? BY_HAND) === BY_HAND;
  const { currency, reconciled_minor: opening } = work.account;
  return (
    <FormFrame form={form} aria-label="Reconciliation">
      {work.statements.length > 0 && (
        <AsyncSelect<number> label="Statement" required {...form.field('statement')}
          options={[...work.statements.map((one) => ({ value: one.id, label: statementLabel(one),
            children: formatAmount(one.closing_minor, currency) })),
          { value: BY_HAND, label: 'Enter the closing balance', children: '' }]} />
      )}
      {byHand && (
        <FormGrid>
          <DateField label="Date of the closing balance" required {...form.field('to_on')} />
          <MoneyField label="Closing balance" required currency={currency} {...form.field('closing_minor')}
            caption={`Opening balance: ${formatAmount(opening, currency)}`} />
        </FormGrid>
      )}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Start reconciliation</Button>
      </FormActions>
    </FormFrame>
  );
}

export function ClosingForm({ row, onClose }: { row: ReconciliationRow; onClose: () => void }) {
  const refresh = useChanged();
  const form = useResourceForm({
    record: { entity: 'bank_reconciliation', id: row.id, version: row.version, read: reconciliationEndpoints.show },
    initial: { to_on: row.to_on as string | null, closing_minor: row.closing_minor as number | null },
    submit: (values) => call(reconciliationEndpoints.update, { params: { id: row.id },
      body: { ...values, version: row.version, bank_statement_id: row.bank_statement_id } }),
    onSaved: () => { toast('Closing balance changed'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="Closing balance" width={480}>
      <FormFrame form={form} aria-label="Closing balance">
        <DateField label="Date of the closing balance" required {...form.field('to_on')} />
        <MoneyField label="Closing balance" required currency={row.currency} {...form.field('closing_minor')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save closing balance</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

const runKey = (run: RunSide): string => `${run.kind} ${run.id}`;

/** Entries that one line may be made of, those of its direction, the nearest amount first; and whole payment runs. */
export function ChooseDialog({ work, line, onClose }: { work: ReconciliationWork; line: BankSideLine;
  onClose: () => void }) {
  const refresh = useChanged();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [runs, setRuns] = useState<readonly RunSide[]>([]);
  const entries = work.entries.filter((one) => !one.is_ticked && (one.amount_minor > 0) === (line.amount_minor > 0)
    && Math.abs(one.amount_minor) <= Math.abs(line.amount_minor))
    .sort((a, b) => Math.abs(b.amount_minor) - Math.abs(a.amount_minor)).slice(0, 50);
  const sum = entries.filter((one) => chosen.has(one.ledger_line_id)).reduce((all, one) => all + one.amount_minor, 0)
    + runs.reduce((all, one) => all + one.amount_minor, 0);
  const offered = work.runs.filter((one) => line.amount_minor < 0 && one.amount_minor >= line.amount_minor);
  const left = line.amount_minor - sum;
  const { currency } = work.account;
  const form = useResourceForm({
    initial: {},
    submit: () => call(reconciliationEndpoints.match, { body: { bank_transaction_ids: [line.id], is_reconciled: true,
      ledger_line_ids: [...chosen], runs: runs.map(({ kind, id }) => ({ kind, id })) } }),
    onSaved: () => { void refresh(); onClose(); },
  });
  const toggle = (id: number, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id); else next.delete(id);
    setChosen(next);
  };
  return (
    <Modal open onClose={onClose} title={`Match ${formatAmount(line.amount_minor, currency)}`} width={640}>
      <FormFrame form={form} aria-label="Match" guard={false}>
        <p>{`${formatDay(line.booked_on)}, ${line.text}`}</p>
        {entries.length + offered.length === 0
          && <p>No open entry of the ledger fits. Create or find one under Matching.</p>}
        {offered.length > 0 && (
          <fieldset className="gr-fieldset">
            <legend>Payment runs</legend>
            {offered.map((one) => (
              <Checkbox key={runKey(one)} name={`run-${one.kind}-${one.id}`} value={runs.includes(one)}
                onChange={(on) => setRuns(on ? [...runs, one] : runs.filter((other) => other !== one))}
                label={`${formatAmount(one.amount_minor, currency)}, ${formatDay(one.value_on)}, ${one.label}`} />
            ))}
          </fieldset>)}
        {entries.length > 0 && (
          <fieldset className="gr-fieldset">
            <legend>Ledger entries</legend>
            {entries.map((one) => (
              <Checkbox key={one.ledger_line_id} name={`entry-${one.ledger_line_id}`}
                value={chosen.has(one.ledger_line_id)} onChange={(on) => toggle(one.ledger_line_id, on)}
                label={`${formatAmount(one.amount_minor, currency)}, ${formatDay(one.posted_on)}, ${one.text}`} />
            ))}
          </fieldset>)}
        <FormActions>
          <ButtonLink href={`${MATCHING}?bank_account_id=${work.account.id}`}>Open matching</ButtonLink>
          <Button type="submit" variant="primary" pending={form.pending}
            reason={left === 0 ? undefined : `${formatAmount(left, currency)} to go`}>Match</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

export function AdjustForm({ work, row, onClose }: { work: ReconciliationWork; row: ReconciliationRow;
  onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useChanged();
  const difference = work.figures!.difference_minor;
  const form = useResourceForm({
    initial: { ledger_account_id: null as number | null, reason: '' },
    submit: ({ ledger_account_id, reason }) => call(reconciliationEndpoints.adjust, { params: { id: row.id },
      body: { version: row.version, ledger_account_id: ledger_account_id ?? 0, reason } }, { idempotencyKey: key }),
    onSaved: () => { toast('Difference posted'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="Post difference" width={480}>
      <FormFrame form={form} aria-label="Difference">
        <p>{`${formatAmount(Math.abs(difference), row.currency)} ${difference > 0 ? 'more' : 'less'} is at the bank `
          + `than the ledger has cleared. It is posted on ${formatDay(row.to_on)}.`}</p>
        <AsyncSelect<number> label="Account" required {...form.field('ledger_account_id')}
          source={async (search, page, signal) => {
            const { data, meta } = await call(ledgerAccountEndpoints.list, { query: { division: row.division, page,
              per_page: 25, active: 'true', ...(search ? { search } : {}) } }, { signal });
            return { meta, data: data.map((one) => ({ value: one.id, label: `${one.code} ${one.name}`,
              children: one.is_bank || !one.allow_manual || one.party_types ? 'not for differences' : '',
              disabled: one.is_bank || !one.allow_manual || one.party_types !== null })) };
          }} />
        <TextField label="Reason" required rows={2} {...form.field('reason')} maxLength={500} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Post {formatAmount(difference, row.currency)}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
