/** Creating what a line is: an expense, a fee or interest, a receipt on account, a transfer. */
import { useState } from 'react';
import { Plus } from 'lucide-react';
import { call } from '#kit/client.ts';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { EMPTY, EntryLine, type LineDraft } from '../bank-account/bank-entry.web.tsx';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { lineText } from '../statement/statement-words.web.tsx';
import { partTitle, refusalOf } from './matching-words.web.ts';
import { matchingEndpoints, type LineRule, type MatchableLine, type MatchSuggestion } from './matching.contract.ts';

export const customerOptions = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));

type Kind = 'entry' | 'on_account' | 'transfer';
const KINDS = { entry: 'Expense, fee or interest', on_account: 'Receipt on account',
  transfer: 'Transfer between our accounts' };

export interface MatchDialogProps {
  line: MatchableLine;
  /** Fills the form in. */
  rule?: LineRule | null | undefined;
  onMatched: (id: number, lines: readonly number[]) => void;
  onClose: () => void;
}

interface Values extends Record<string, unknown> {
  kind: Kind | null;
  description: string;
  lines: LineDraft[];
  customer_id: number | null;
  bank_account_id: number | null;
  another_confirmed: boolean;
}

function bodyOf(line: MatchableLine, values: Values) {
  const sign = line.amount_minor < 0 ? -1 : 1;
  const body = { line_ids: [line.id], description: values.description };
  if (values.kind === 'transfer') return { ...body, transfer: {
    bank_account_id: values.bank_account_id ?? 0, another_confirmed: values.another_confirmed } };
  if (values.kind === 'on_account') {
    return { ...body, on_account: { customer_id: values.customer_id ?? 0, amount_minor: line.amount_minor } };
  }
  return { ...body, entries: values.lines.map((one) => ({ ledger_account_id: one.ledger_account_id ?? 0,
    amount_minor: sign * (one.amount_minor ?? 0), party_id: one.party_id })) };
}

const RULE_KINDS: Readonly<Record<LineRule['kind'], Kind>> = { entry: 'entry', receipt: 'on_account',
  transfer: 'transfer' };

/** Initial values of the form: the whole amount, and the entries a bank rule makes for such lines. */
function valuesOf(line: MatchableLine, rule: LineRule | null | undefined): Values {
  const isEntry = rule?.kind === 'entry';
  return { kind: rule ? RULE_KINDS[rule.kind] : 'entry',
    description: (rule?.memo || lineText(line)).slice(0, 500),
    another_confirmed: false,
    customer_id: rule?.kind === 'receipt' ? rule.party_id : null,
    bank_account_id: rule?.kind === 'transfer' ? rule.to_bank_account_id : null,
    lines: [{ ...EMPTY, amount_minor: Math.abs(line.amount_minor), ...(isEntry ? {
      ledger_account_id: rule.ledger_account_id, label: rule.ledger_account ?? '', party_type: rule.party_type,
      party_id: rule.party_id, party_label: rule.party_name ?? '' } : {}) }] };
}

interface CreateDialogProps extends MatchDialogProps {
  /** Proposals with one open bill or credit of the whole amount: the entry would book it twice. */
  bills?: readonly MatchSuggestion[];
  onAccept?: (of: MatchSuggestion) => void;
}

/** Proposals that an entry for the line would repeat. */
export const billsAmong = (suggestions: readonly MatchSuggestion[]): MatchSuggestion[] => suggestions.filter((one) =>
  ['whole', 'discount'].includes(one.shape) && one.parts.length === 1
  && ['bill', 'vendor_credit'].includes(one.parts[0]!.kind));

export function CreateDialog({ line, rule, bills = [], onAccept, onMatched, onClose }: CreateDialogProps) {
  const may = useMay();
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([matchingEndpoints.lines]);
  const amount = Math.abs(line.amount_minor);
  const form = useResourceForm<Values, { data: { id: number } }>({
    initial: valuesOf(line, rule),
    submit: (values) => call(matchingEndpoints.create, { body: bodyOf(line, values) }, { idempotencyKey: key }),
    onSaved: ({ data }) => { void refresh(); onMatched(data.id, [line.id]); } });
  const { kind } = form.values;
  const kinds = [...may('transaction.update') ? ['entry' as const] : [],
    ...line.amount_minor > 0 && may('payment.create') ? ['on_account' as const] : [],
    ...may('bank_transaction.create') ? ['transfer' as const] : []];
  return (
    <Modal open onClose={onClose} width={640}
      title={`Create entry for ${formatAmount(line.amount_minor, line.currency)}`}>
      <FormFrame form={form} aria-label="Create entry" labels={{ parts: 'Amount', line_ids: 'Bank line',
        'on_account.customer_id': 'Customer', 'transfer.bank_account_id': 'Account' }}>
        {rule && <p>{`Filled in by the rule ${rule.name}`}</p>}
        <AsyncSelect<Kind> label="Kind" required {...form.field('kind')}
          options={optionsOf(KINDS).filter(({ value }) => kinds.includes(value as Kind)) as { value: Kind;
            label: string }[]} />
        {kind === 'entry' && bills.map((one) => <OpenBill key={one.parts[0]!.id} of={one} onAccept={onAccept} />)}
        {kind === 'entry' && <Lines line={line} form={form} amount={amount} />}
        {kind === 'on_account' && (
          <AsyncSelect<number> label="Customer" required value={form.values.customer_id} source={customerOptions}
            selectedLabel={rule?.party_name ?? undefined}
            name="on_account.customer_id" error={form.errors['on_account.customer_id']}
            onChange={(id) => form.set('customer_id', id)} />
        )}
        {kind === 'transfer' && <OtherAccount line={line} form={form} />}
        {kind === 'transfer' && <Recorded form={form} />}
        {kind !== 'on_account' && <TextField label="Description" {...form.field('description')} maxLength={500} />}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Create and match</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

type Form = ReturnType<typeof useResourceForm<Values, { data: { id: number } }>>;

/** Already booked when it was approved: the line pays it. */
function OpenBill({ of, onAccept }: { of: MatchSuggestion; onAccept: CreateDialogProps['onAccept'] }) {
  const [part] = of.parts;
  const isBill = part!.kind === 'bill';
  return (
    <Callout tone="warn" title={isBill ? 'An open bill has this amount' : 'An open vendor credit has this amount'}
      action={onAccept && <Button size="small" reason={refusalOf(of)} onClick={() => onAccept(of)}>{
        isBill ? 'Match bill' : 'Match credit'}</Button>}>
      {partTitle(part!)}, {formatDay(part!.document_on)}. It is in the books already: an entry would count it twice.
    </Callout>
  );
}

/** Several lines split the amount. */
function Lines({ line, form, amount }: { line: MatchableLine; form: Form; amount: number }) {
  const { lines } = form.values;
  const left = amount - lines.reduce((all, one) => all + (one.amount_minor ?? 0), 0);
  const change = (k: number, part: Partial<LineDraft>) =>
    form.set('lines', lines.map((one, n) => (n === k ? { ...one, ...part } : one)));
  return (
    <>
      {lines.map((one, k) => (
        // oxlint-disable-next-line no-array-index-key -- a line that is typed has no identity but its place
        <EntryLine key={k} k={k} line={one} row={line} errors={form.errors} path="entries"
          onChange={(part) => change(k, part)}
          onRemove={lines.length > 1 ? () => form.set('lines', lines.filter((_, n) => n !== k)) : null} />
      ))}
      <div>
        <Button icon={<Plus size={15} aria-hidden="true" />}
          onClick={() => form.set('lines', [...lines, { ...EMPTY, amount_minor: left > 0 ? left : null }])}>
          Split
        </Button>
      </div>
      {left !== 0 && <p role="status">{formatAmount(left, line.currency)} left of the line</p>}
    </>
  );
}

/** A transfer of the amount is recorded: the line is probably of that one. */
function Recorded({ form }: { form: Form }) {
  const text = form.errors['transfer.another_confirmed'];
  if (text === undefined && !form.values.another_confirmed) return null;
  return (
    <>
      {text !== undefined && <Callout tone="warn" title="A transfer of this amount is recorded">{text}.</Callout>}
      <Checkbox label="This is another transfer" name="transfer.another_confirmed"
        value={form.values.another_confirmed} onChange={(on) => form.set('another_confirmed', on)} />
    </>
  );
}

function OtherAccount({ line, form }: { line: MatchableLine; form: Form }) {
  const read = useEndpoint(bankAccountEndpoints.options, { query: { division: line.division,
    currency: line.currency } });
  return (
    <AsyncSelect<number> label={line.amount_minor < 0 ? 'To account' : 'From account'} required
      value={form.values.bank_account_id} name="transfer.bank_account_id"
      error={form.errors['transfer.bank_account_id'] ?? form.errors.transfer}
      onChange={(id) => form.set('bank_account_id', id)}
      caption="Its own bank line is matched with the other side of the transfer"
      options={(read.data?.data ?? []).filter((row) => row.id !== line.bank_account_id)
        .map((row) => ({ value: row.id, label: bankAccountLabel(row) }))} />
  );
}
