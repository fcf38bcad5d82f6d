/** A journal by hand: lines with their sums, saved as a draft, posted on its own page. */
import { Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { classWord } from '../ledger-account/account-class.web.ts';
import { ledgerAccountEndpoints } from '../ledger-account/ledger-account.contract.ts';
import {
  bodyOf, draftOf, EMPTY_LINE, sumsOf, type JournalDraft, type LineDraft, type PartyType, type Transaction,
} from './journal-draft.web.ts';
import { partySource } from './party-source.web.ts';
import { transactionEndpoints } from './transaction.contract.ts';
import styles from './journal.module.css';

const LIST = '/admin/accounting/transactions';
const PARTY_LABELS: Record<PartyType, string> = { customer: 'Customer', vendor: 'Vendor', royaltor: 'Royaltor',
  bank: 'Bank', staff: 'Staff', tax_authority: 'Tax authority', division: 'Division' };

export function JournalCreate() {
  const [division] = useDivision();
  return (
    <>
      <PageHeader title="New journal" back={`${LIST}?division=${division}`} division
        subtitle="A draft counts in no balance until it is posted" />
      <JournalForm key={division} division={division} row={null} initial={{ transaction_at: null, description: '',
        memo: '', journal_entries: [EMPTY_LINE, EMPTY_LINE] }} />
    </>
  );
}

export function JournalEdit() {
  const id = useIdParam('transactionId');
  const read = useEndpoint(transactionEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="transaction" list={LIST} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title="Change journal" back={`${LIST}/${id}/journal-entries`}
        crumbs={row && [{ label: row.description || row.kind_name, href: `${LIST}/${id}` },
          { label: 'Change journal' }]}
        subtitle={row && [row.division, row.description || row.kind_name]} />
      {!row && <PageContent record><Skeleton width={420} height={18} /></PageContent>}
      {row && row.status !== 'draft' && (
        <PageContent record><EmptyState title="This transaction is not a draft"
          text="Posted transactions are reversed, never changed."
          action={<ButtonLink href={`${LIST}/${id}/journal-entries`}>Open transaction</ButtonLink>} /></PageContent>)}
      {row?.status === 'draft'
        && <JournalForm key={row.id} division={row.division} row={row} initial={draftOf(row)} />}
    </>
  );
}

function JournalForm({ division, row, initial }: {
  division: Transaction['division']; row: Transaction | null; initial: JournalDraft;
}) {
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([transactionEndpoints.list]);
  const form = useResourceForm({
    initial,
    draftKey: row ? undefined : 'transaction/new',
    record: row && { entity: 'transaction', id: row.id, version: row.version, read: transactionEndpoints.show },
    submit: (values) => {
      const body = bodyOf(values, division);
      return row === null ? call(transactionEndpoints.create, { body }, { idempotencyKey: key })
        : call(transactionEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } });
    },
    onSaved: ({ data }) => {
      toast('Draft saved');
      void refresh();
      go(`${LIST}/${data.id}/journal-entries`, { replace: true });
    },
  });
  return (
    <PageContent record fullWidth>
      <FormFrame form={form} aria-label="Journal">
        <FormGrid>
          <TextField label="Description" required {...form.field('description')} />
          <DateField label="Date" required {...form.field('transaction_at')} />
        </FormGrid>
        <Section title="Lines" count={form.values.journal_entries.length}
          description={`In ${DIVISION_CURRENCY[division]}; each line has a debit or a credit.`}>
          <Lines form={form} division={division} />
        </Section>
        <TextField label="Memo" rows={2} {...form.field('memo')} caption="Why it was written; kept with the posting." />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save draft</Button>
        </FormActions>
      </FormFrame>
    </PageContent>
  );
}

type Form = ResourceForm<JournalDraft>;

function Lines({ form, division }: { form: Form; division: Transaction['division'] }) {
  const lines = form.values.journal_entries;
  const { debit, credit, difference } = sumsOf(lines);
  const wants = useRef(new Map<number, readonly string[] | null>());
  const set = (next: LineDraft[]) => form.set('journal_entries', next);
  return (
    <>
      <div>{lines.map((line, k) => (
        // oxlint-disable-next-line no-array-index-key -- a line that is typed has no identity but its place
        <Line key={k} k={k} line={line} division={division} errors={form.errors} wants={wants.current}
          onChange={(part) => set(lines.map((one, n) => (n === k ? { ...one, ...part } : one)))}
          onRemove={lines.length > 2 ? () => set(lines.filter((_, n) => n !== k)) : null} />
      ))}</div>
      <div className={styles.sums}>
        <span className={debit + credit === 0 ? undefined : difference === 0 ? styles.even : styles.off} role="status">
          {balanceWords(debit, credit)}
        </span>
        <span>{formatAmount(debit)}</span><span>{formatAmount(credit)}</span><span />
      </div>
      {form.errors.journal_entries && <p role="alert" className={styles.problem}>{form.errors.journal_entries}</p>}
      <Button icon={<Plus size={15} aria-hidden="true" />} onClick={() => set([...lines, EMPTY_LINE])}>Add line</Button>
    </>
  );
}

function balanceWords(debit: number, credit: number): string {
  if (debit + credit === 0) return 'Nothing entered yet';
  if (debit === credit) return 'In balance';
  return `${formatAmount(Math.abs(debit - credit))} more ${debit > credit ? 'debit' : 'credit'}`;
}

function Line({ k, line, division, errors, wants, onChange, onRemove }: {
  k: number; line: LineDraft; division: Transaction['division']; errors: Readonly<Record<string, string>>;
  wants: Map<number, readonly string[] | null>; onChange: (part: Partial<LineDraft>) => void;
  onRemove: (() => void) | null;
}) {
  const at = (field: string) => {
    const name = `journal_entries.${k}.${field}`;
    return { name, error: errors[name] };
  };
  const currency = DIVISION_CURRENCY[division] as 'USD';
  const choose = (id: number | null, label: string) => {
    const kinds = id === null ? null : wants.get(id) ?? null;
    const only = kinds?.length === 1 ? kinds[0] as PartyType : null;
    onChange({ ledger_account_id: id, account_label: label, wants: kinds, party_type: only, party_id: null,
      party_label: '' });
  };
  return (
    <div className={styles.line} role="group" aria-label={`Line ${k + 1}`}>
      <div className={styles.stack}>
        <AsyncSelect<number> label="Account" required value={line.ledger_account_id} selectedLabel={line.account_label}
          {...at('ledger_account_id')} onChange={(id, option) => choose(id, option?.label ?? '')}
          source={async (search, page, signal) => {
            const answer = await call(ledgerAccountEndpoints.list, { query: { division, page, per_page: 25,
              active: 'true', ...(search ? { search } : {}) } }, { signal });
            for (const row of answer.data) wants.set(row.id, row.party_types);
            return { meta: answer.meta, data: answer.data.map((row) => ({ value: row.id,
              label: `${row.code} ${row.name}`,
              children: row.is_bank ? 'bank account: use Banking'
                : row.allow_manual ? classWord(row.class) : 'no journals by hand',
              disabled: !row.allow_manual })) };
          }} />
        {line.wants && <Party line={line} {...at('party_id')} onChange={onChange} />}
      </div>
      <TextField label="Memo" value={line.memo} {...at('memo')} onChange={(memo) => onChange({ memo })} />
      <MoneyField label="Debit" currency={currency} value={line.debit_minor} {...at('debit_minor')}
        onChange={(debit_minor) => onChange({ debit_minor, ...(debit_minor ? { credit_minor: null } : {}) })} />
      <MoneyField label="Credit" currency={currency} value={line.credit_minor} {...at('credit_minor')}
        onChange={(credit_minor) => onChange({ credit_minor, ...(credit_minor ? { debit_minor: null } : {}) })} />
      <IconButton className={styles.remove} label={`Remove line ${k + 1}`} icon={<Trash2 size={16} />}
        reason={onRemove === null ? 'A journal has at least two lines' : undefined}
        onClick={() => onRemove?.()} />
    </div>
  );
}

function Party({ line, name, error, onChange }: {
  line: LineDraft; name: string; error: string | undefined; onChange: (part: Partial<LineDraft>) => void;
}) {
  const type = line.party_type;
  return (
    <div className={styles.party}>
      <AsyncSelect<PartyType> label="Party" required value={type}
        options={(line.wants as PartyType[] | null ?? []).map((kind) => ({ value: kind, label: PARTY_LABELS[kind] }))}
        onChange={(party_type) => onChange({ party_type, party_id: null, party_label: '' })} />
      <AsyncSelect<number> key={type ?? ''} label="Name" required disabled={type === null} value={line.party_id}
        selectedLabel={line.party_label} name={name} error={error}
        onChange={(party_id, option) => onChange({ party_id, party_label: option?.label ?? '' })}
        source={partySource(type ?? 'customer')} />
    </div>
  );
}
