/**
 * Bank details and tax id of whom the house pays: the last characters of what is stored, and dialogs that write it,
 * clear it and verify what another person wrote. The calls are those of `sealedEndpoints`; without `taxId` there are
 * bank details alone.
 */
import { useState, type ReactNode } from 'react';
import { call } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import type { BankKind } from '#kit/sealed-details.ts';
import { Button } from '../controls/button/button.tsx';
import { AsyncSelect } from '../controls/select/async-select.tsx';
import { Checkbox } from '../controls/field/checkbox.tsx';
import { DeclineButton, VerifyButton } from '../controls/button/decline-button.tsx';
import { FormActions, FormFrame } from '../controls/form/form-frame.tsx';
import { optionsOf } from '../controls/form/resource-fields.tsx';
import { TextField } from '../controls/field/text-field.tsx';
import { useTypedName } from '../controls/field/typed-name.tsx';
import { useResourceForm } from '../controls/form/use-resource-form.ts';
import { formatDay } from '../data/date-text.tsx';
import { KeyValue } from '../data/key-value.tsx';
import { toast } from '../data/toast.tsx';
import { useCurrentUser } from '../query/current-user.ts';
import { useRefresh } from '../query/use-refresh.ts';
import { Modal } from './overlay.tsx';
import { Section } from './page-content.tsx';

interface SealedRow {
  id: number; version: number; bank_account_last4: string | null; bank_kind: BankKind | null;
  bank_country: string | null; bank_holder: string | null; bank_written_by_id: number | null;
  bank_written_by_name: string | null; bank_details_changed_at: string | null; bank_verified_at: string | null;
  bank_verified_by_name: string | null; bank_verified_note: string | null; tin_last4?: string | null;
}
export interface SealedSectionProps {
  row: SealedRow;
  endpoints: { list: AnyEndpoint; bankDetails: AnyEndpoint; verifyBankDetails: AnyEndpoint;
    declineBankDetails: AnyEndpoint; taxId?: AnyEndpoint };
  title?: string;
  /** Said before anything is stored. */
  hint?: string;
  mayWrite: boolean;
  /** People who may verify pending details. */
  approvers?: ReactNode;
}

const STORED = 'Stored encrypted and never shown again: only the last characters are.';
const NOTHING = 'Nothing is stored yet. What is stored is encrypted; only its last characters are shown.';

export function SealedSection(props: SealedSectionProps) {
  const { row, endpoints, mayWrite, approvers, title = 'Tax and bank details', hint = NOTHING } = props;
  const [writing, setWriting] = useState<'bank' | 'tax' | null>(null);
  const user = useCurrentUser();
  const refresh = useRefresh([endpoints.list]);
  const saved = (text: string) => { setWriting(null); void refresh(); toast(text); };
  const bank = row.bank_account_last4 !== null;
  const taxId = row.tin_last4 ?? null;
  const own = row.bank_written_by_id === user?.id ? 'You entered them. Someone else must verify them.' : undefined;
  return (
    <Section title={title} description={bank || taxId !== null ? STORED : hint}
      right={mayWrite && (
        <>
          {endpoints.taxId && <Button size="small" onClick={() => setWriting('tax')}>Enter tax ID</Button>}
          <Button size="small" onClick={() => setWriting('bank')}>Enter bank details</Button>
          {bank && row.bank_verified_at === null && (
            <VerifyButton endpoint={endpoints.verifyBankDetails} params={{ id: row.id }}
              body={{ version: row.version }} title="Bank details" reason={own} refresh={[endpoints.list]}
              text="Payments go to this account from now on. Call the payee on a number you already had." />
          )}
          {bank && row.bank_verified_at === null && (
            <DeclineButton endpoint={endpoints.declineBankDetails} params={{ id: row.id }}
              body={{ version: row.version }} title="Bank details" reason={own} refresh={[endpoints.list]}
              text="The bank details are deleted. The person who entered them sees the reason." />
          )}
        </>
      )}>
      {bank && row.bank_verified_at === null && approvers && <p>{approvers}</p>}
      <KeyValue facts={[
        ...(bank ? bankFacts(row) : []),
        taxId !== null && { label: 'Tax ID', value: `•••• ${taxId}` },
      ]} columns={2} />
      <Modal open={writing !== null} onClose={() => setWriting(null)}
        title={writing === 'tax' ? 'Tax ID' : 'Bank details'}>
        {writing === 'bank' && (
          <BankForm row={row} endpoint={endpoints.bankDetails}
            onSaved={(stored) => saved(stored ? 'Stored: another person verifies them' : 'Bank details deleted')} />
        )}
        {writing === 'tax' && endpoints.taxId && (
          <TaxForm row={row} endpoint={endpoints.taxId}
            onSaved={(stored) => saved(stored ? 'Tax ID stored' : 'Tax ID deleted')} />
        )}
      </Modal>
    </Section>
  );
}

const signed = (name: string | null, at: string | null): string =>
  [name, at && formatDay(at)].filter(Boolean).join(', ');

function bankFacts(row: SealedRow) {
  const kind = row.bank_kind === null ? '' : `${KIND_LABELS[row.bank_kind]} `;
  return [
    { label: 'Bank account', value: `${kind}•••• ${row.bank_account_last4}` },
    row.bank_holder !== null && { label: 'Account holder', value: row.bank_holder },
    row.bank_country !== null && { label: 'Country of the account', value: row.bank_country },
    { label: 'Entered by', value: signed(row.bank_written_by_name, row.bank_details_changed_at) },
    { label: 'Verified by', value: row.bank_verified_at === null ? 'Not verified yet'
      : signed(row.bank_verified_by_name, row.bank_verified_at) },
    Boolean(row.bank_verified_note) && { label: 'Call-back', value: row.bank_verified_note },
  ];
}

/** Typed before what nobody can read again is deleted: Enter in the empty first field alone does nothing. */
const DELETE = 'DELETE';

const KIND_LABELS: Readonly<Record<BankKind, string>> = { us: 'US account', uk: 'UK account', iban: 'IBAN',
  other: 'Other account' };
const BANK_LABELS = { account: 'Account number or IBAN', routing: 'Routing number, sort code or BIC',
  kind: 'Kind of account', country: 'Country of the account', is_savings: 'Savings account', holder: 'Account holder' };

interface FormProps { row: SealedRow; endpoint: AnyEndpoint; onSaved: (stored: boolean) => void }

function BankForm({ row, endpoint, onSaved }: FormProps) {
  const form = useResourceForm({
    initial: { account: '', routing: '', kind: row.bank_kind, country: row.bank_country ?? '',
      holder: row.bank_holder ?? '', is_savings: false },
    submit: ({ account, routing, kind, country, holder, is_savings }) => call(endpoint, { params: { id: row.id },
      body: { version: row.version, account: account.trim() || null, routing: routing.trim() || null, kind,
        // Vendors, customers and royaltors each have this call, with the same body.
        country: country.trim().toUpperCase() || null, holder: holder.trim() || null, is_savings } } as never),
    onSaved: () => onSaved(form.values.account.trim() !== ''),
  });
  const empty = form.values.account.trim() === '';
  const typed = useTypedName(empty && row.bank_account_last4 !== null ? DELETE : undefined, empty);
  const { kind } = form.values;
  return (
    <FormFrame form={form} guard={false} labels={BANK_LABELS}>
      <TextField label="Account number or IBAN" autoComplete="off" {...form.field('account')}
        caption={row.bank_account_last4 ? 'Left empty, what is stored is deleted.' : undefined} />
      <TextField label={BANK_LABELS.routing} autoComplete="off" {...form.field('routing')} />
      <AsyncSelect label={BANK_LABELS.kind} options={optionsOf(KIND_LABELS)} {...form.field('kind')} />
      {kind === 'other' && <TextField label={BANK_LABELS.country} maxLength={2} {...form.field('country')}
        caption="Two letters: CA, JP" />}
      {kind === 'us' && <Checkbox label={BANK_LABELS.is_savings} {...form.field('is_savings')} />}
      <TextField label={BANK_LABELS.holder} autoComplete="off" maxLength={140} {...form.field('holder')}
        caption="Only where it is another name." />
      {typed.field}
      <FormActions>
        <Button type="submit" variant={typed.field ? 'danger' : 'primary'} pending={form.pending}
          reason={empty && !row.bank_account_last4 ? 'Type the account' : typed.held}>
          {empty && row.bank_account_last4 ? 'Delete bank details' : 'Store bank details'}
        </Button>
      </FormActions>
    </FormFrame>
  );
}

function TaxForm({ row, endpoint, onSaved }: FormProps) {
  const form = useResourceForm({
    initial: { tin: '' },
    submit: ({ tin }) => call(endpoint, { params: { id: row.id },
      // Vendors, customers and royaltors each have this call, with the same body.
      body: { version: row.version, tin: tin.trim() || null } } as never),
    onSaved: () => onSaved(form.values.tin.trim() !== ''),
  });
  const empty = form.values.tin.trim() === '';
  const typed = useTypedName(empty && row.tin_last4 != null ? DELETE : undefined, empty);
  return (
    <FormFrame form={form} guard={false} labels={{ tin: 'Tax ID' }}>
      <TextField label="Tax ID (SSN, EIN, UTR)" autoComplete="off" {...form.field('tin')}
        caption={row.tin_last4 ? 'Left empty, what is stored is deleted.' : undefined} />
      {typed.field}
      <FormActions>
        <Button type="submit" variant={typed.field ? 'danger' : 'primary'} pending={form.pending}
          reason={empty && !row.tin_last4 ? 'Type the tax ID' : typed.held}>
          {empty && row.tin_last4 ? 'Delete tax ID' : 'Store tax ID'}
        </Button>
      </FormActions>
    </FormFrame>
  );
}
