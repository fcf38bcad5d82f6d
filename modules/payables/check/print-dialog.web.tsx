/** Prints the checks of a bank account that are approved: the number on the first form is compared before. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CheckAccountField, useCheckAccount } from './check-account.web.tsx';
import { checkEndpoints, PRINT_LIMIT, type CheckRow } from './check.contract.ts';

export default function PrintDialog({ onClose }: { onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<number | null>(null);
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const [printed, setPrinted] = useState<readonly CheckRow[] | null>(null);
  const refresh = useRefresh([checkEndpoints.list, checkEndpoints.next]);
  const { account } = useCheckAccount(chosen);
  const id = account?.id ?? 0;
  const waiting = useEndpoint(checkEndpoints.list,
    { query: { bank_account_id: id, state: 'ready', per_page: PRINT_LIMIT } }, { enabled: id > 0 });
  const next = useEndpoint(checkEndpoints.next, { query: { bank_account_id: id } }, { enabled: id > 0 });
  const rows = waiting.data?.data ?? [];
  const taken = rows.filter((row) => !off.has(row.id));
  const form = useResourceForm({
    initial: { on: today() as string | null, first_number: '' },
    submit: ({ on, first_number }) => call(checkEndpoints.print, { body: { bank_account_id: id, on: on ?? '',
      check_ids: taken.map((row) => row.id), first_number: first_number.trim() } }, { idempotencyKey: key }),
    onSaved: ({ data }) => { setPrinted(data); void refresh(); toast(spell`The checks have their numbers`); },
  });
  return (
    <Modal open onClose={onClose} title={spell`Print checks`} width={560}>
      {printed ? <Printed rows={printed} onClose={onClose} /> : (
        <FormFrame form={form} aria-label={spell`Print checks`}>
          <CheckAccountField chosen={chosen} onChange={(value) => { setChosen(value); setOff(new Set()); }} />
          {rows.map((row) => (
            <Checkbox key={row.id} name={`check-${row.id}`} value={!off.has(row.id)}
              onChange={(on) => setOff(new Set(on ? [...off].filter((one) => one !== row.id) : [...off, row.id]))}
              label={`${formatAmount(row.amount_minor, row.currency)}, ${row.payee}, ${row.payment_number}`} />
          ))}
          {waiting.data && rows.length === 0 && (
            <Callout tone="info" title="Nothing to print">
              {spell`No approved check of this account is waiting.`}
            </Callout>
          )}
          <DateField label={spell`Date on the checks`} required {...form.field('on')} />
          <TextField label="Number on the first form" required inputMode="numeric" maxLength={9}
            {...form.field('first_number')} caption={nextWords(next.data?.data.next_check_number)} />
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}
              reason={taken.length === 0 ? spell`Choose a check` : undefined}>
              {`Print ${taken.length}`}
            </Button>
          </FormActions>
        </FormFrame>
      )}
    </Modal>
  );
}

/** Undefined until the account is chosen; null where it has no next number. */
function nextWords(next: string | number | null | undefined): string {
  if (next === undefined) return 'As printed on the form.';
  return next === null ? 'Enter the next number at the bank account first.'
    : `The next number of this account is ${next}.`;
}

function Printed({ rows, onClose }: { rows: readonly CheckRow[]; onClose: () => void }) {
  const numbers = rows.map((row) => row.check_number).join(', ');
  return (
    <>
      <p>{`${numbers}. Their payments are posted. Open the PDF within 15 minutes; later it is a copy.`}</p>
      <FormActions>
        <PdfLink variant="primary" title={spell`Checks`} fileName="checks.pdf"
          href={`/api/admin/staff/accounting/checks/sheet?ids=${rows.map((row) => row.id).join(',')}`}>
          Open PDF
        </PdfLink>
        <Button onClick={onClose}>Done</Button>
      </FormActions>
    </>
  );
}
