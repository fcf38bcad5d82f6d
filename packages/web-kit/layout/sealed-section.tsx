/**
 * Bank details and tax id of whom the house pays: the last characters of what is stored, and dialogs that write it,
 * clear it and verify what another person wrote. The calls are those of `sealedEndpoints`.
 */
import { useState, type ReactNode } from 'react';
import { call } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { Button } from '../controls/button.tsx';
import { DeclineButton } from '../controls/decline-button.tsx';
import { FormActions, FormFrame } from '../controls/form-frame.tsx';
import { TextField } from '../controls/text-field.tsx';
import { useTypedName } from '../controls/typed-name.tsx';
import { useResourceForm } from '../controls/use-resource-form.ts';
import { formatDay } from '../data/date-text.tsx';
import { KeyValue } from '../data/key-value.tsx';
import { toast } from '../data/toast.tsx';
import { useCurrentUser } from '../query/current-user.ts';
import { useAction } from '../query/use-action.ts';
import { useRefresh } from '../query/use-refresh.ts';
import { Modal } from './overlay.tsx';
import { Section } from './page-content.tsx';

interface SealedRow {
  id: number; version: number; bank_account_last4: string | null; bank_verified_at: string | null;
  bank_written_by_id: number | null; tin_last4: string | null;
}
export interface SealedSectionProps {
  row: SealedRow;
  endpoints: { list: AnyEndpoint; bankDetails: AnyEndpoint; verifyBankDetails: AnyEndpoint;
    declineBankDetails: AnyEndpoint; taxId: AnyEndpoint };
  mayWrite: boolean;
  /** Who may verify what waits. */
  approvers?: ReactNode;
}

export function SealedSection({ row, endpoints, mayWrite, approvers }: SealedSectionProps) {
  const [writing, setWriting] = useState<'bank' | 'tax' | null>(null);
  const user = useCurrentUser();
  const refresh = useRefresh([endpoints.list]);
  const verify = useAction(endpoints.verifyBankDetails, { done: 'Bank details verified' });
  const verified = row.bank_verified_at ? `verified ${formatDay(row.bank_verified_at)}` : 'not verified yet';
  const saved = (text: string) => { setWriting(null); void refresh(); toast(text); };
  const bank = row.bank_account_last4 !== null;
  const own = row.bank_written_by_id === user?.id ? 'You entered them. Someone else must verify them.' : undefined;
  return (
    <Section title="Tax and bank details"
      description={bank || row.tin_last4 !== null
        ? 'Stored encrypted and never shown again: only the last characters are.'
        : 'Nothing is stored yet. What is stored is encrypted; only its last characters are shown.'}
      right={mayWrite && (
        <>
          <Button size="small" onClick={() => setWriting('tax')}>Enter tax ID</Button>
          <Button size="small" onClick={() => setWriting('bank')}>Enter bank details</Button>
          {bank && row.bank_verified_at === null && (
            <Button size="small" pending={verify.pending} reason={own}
              onClick={() => void verify.run({ params: { id: row.id }, body: { version: row.version } } as never)}>
              Verify
            </Button>
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
        bank && { label: 'Bank account', value: `•••• ${row.bank_account_last4}, ${verified}` },
        row.tin_last4 !== null && { label: 'Tax ID', value: `•••• ${row.tin_last4}` },
      ]} columns={2} />
      <Modal open={writing !== null} onClose={() => setWriting(null)}
        title={writing === 'tax' ? 'Tax ID' : 'Bank details'}>
        {writing === 'bank' && (
          <BankForm row={row} endpoint={endpoints.bankDetails}
            onSaved={(stored) => saved(stored ? 'Stored: another person verifies them' : 'Bank details deleted')} />
        )}
        {writing === 'tax' && (
          <TaxForm row={row} endpoint={endpoints.taxId}
            onSaved={(stored) => saved(stored ? 'Tax ID stored' : 'Tax ID deleted')} />
        )}
      </Modal>
    </Section>
  );
}

/** Typed before what nobody can read again is deleted: Enter in the empty first field alone does nothing. */
const DELETE = 'DELETE';

interface FormProps { row: SealedRow; endpoint: AnyEndpoint; onSaved: (stored: boolean) => void }

function BankForm({ row, endpoint, onSaved }: FormProps) {
  const form = useResourceForm({
    initial: { account: '', routing: '' },
    submit: ({ account, routing }) => call(endpoint, { params: { id: row.id },
      body: { version: row.version, account: account.trim() || null, routing: routing.trim() || null } } as never),
    onSaved: () => onSaved(form.values.account.trim() !== ''),
  });
  const empty = form.values.account.trim() === '';
  const typed = useTypedName(empty && row.bank_account_last4 !== null ? DELETE : undefined, empty);
  return (
    <FormFrame form={form} guard={false}
      labels={{ account: 'Account number or IBAN', routing: 'Routing number, sort code or BIC' }}>
      <TextField label="Account number or IBAN" autoComplete="off" {...form.field('account')}
        caption={row.bank_account_last4 ? 'Left empty, what is stored is deleted.' : undefined} />
      <TextField label="Routing number, sort code or BIC" autoComplete="off" {...form.field('routing')} />
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
      body: { version: row.version, tin: tin.trim() || null } } as never),
    onSaved: () => onSaved(form.values.tin.trim() !== ''),
  });
  const empty = form.values.tin.trim() === '';
  const typed = useTypedName(empty && row.tin_last4 !== null ? DELETE : undefined, empty);
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
