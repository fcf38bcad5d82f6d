/** Choosing an agreement in force, written as its royaltor and its show. */
import { call } from '#kit/client.ts';
import { ROLE_LABELS, agreementEndpoints } from '#modules/catalogue/agreement/agreement.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import type { FieldBinding } from '#web/controls/form/use-resource-form.ts';
import { optionsFrom } from '#web/query/options-from.ts';

const activeAgreements = optionsFrom(agreementEndpoints.list, (row) => ({ value: row.id,
  label: `${row.royaltor_name}, ${row.show_title}`, children: ROLE_LABELS[row.role] }),
{ query: { status: 'active' } });

export function AgreementSelect({ field, onCurrency }: {
  field: FieldBinding<number | null>;
  /** Hears the currency of the agreement that was chosen. */
  onCurrency: (currency: 'USD' | 'EUR' | 'GBP') => void;
}) {
  return (
    <AsyncSelect label="Agreement" required {...field} placeholder="Royaltor or show"
      onChange={(id) => {
        field.onChange(id);
        if (id !== null) {
          void call(agreementEndpoints.show, { params: { id } }).then(({ data }) => onCurrency(data.currency),
            () => undefined);
        }
      }}
      source={activeAgreements} />
  );
}
