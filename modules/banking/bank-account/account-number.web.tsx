/** The dialog that writes the number of a bank account: which kind it is, and the digits that kind has. */
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { bankAccountEndpoints, type BankAccountRow } from './bank-account.contract.ts';

type Kind = NonNullable<BankAccountRow['number_kind']>;

export const NUMBER_WORDS: Readonly<Record<Kind, string>> = {
  iban: 'IBAN', us: 'US account number', uk: 'UK account number', other: 'Account number',
};
const ROUTING: Readonly<Record<Kind, string | null>> = {
  iban: null, us: 'Routing number', uk: 'Sort code', other: 'Bank code',
};
const KIND_OF = { US: 'us', PROD: 'us', UK: 'uk', EU: 'iban' } as const;

export function NumberForm({ row, onClose, onSaved }: {
  row: BankAccountRow; onClose: () => void; onSaved: () => void;
}) {
  const form = useResourceForm({
    initial: { kind: (row.number_kind ?? KIND_OF[row.division]) as Kind | null, account: '', routing: '' },
    submit: ({ kind, account, routing }) => call(bankAccountEndpoints.number, { params: { id: row.id },
      body: { version: row.version, kind: kind ?? 'other', account,
        routing: kind !== 'iban' && routing.trim() !== '' ? routing : null } }),
    onSaved,
  });
  const kind = form.values.kind ?? 'other';
  const routing = ROUTING[kind];
  return (
    <Modal open onClose={onClose} title={`Account number of ${row.name}`} width={480}>
      <FormFrame form={form} guard={false} aria-label="Account number"
        labels={{ kind: 'Kind of number', account: NUMBER_WORDS[kind], routing: routing ?? '' }}>
        <AsyncSelect label="Kind of number" required options={optionsOf(NUMBER_WORDS)} {...form.field('kind')} />
        {routing !== null && (
          <TextField label={routing} autoComplete="off" {...form.field('routing')} maxLength={20} />
        )}
        <TextField label={NUMBER_WORDS[kind]} required autoComplete="off" {...form.field('account')} maxLength={42} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Store account number</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
