/** Form for a state's economic nexus rule: entered from a day on, or corrected. */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { choicesOf } from '../tax-words.web.ts';
import { salesTaxEndpoints, type NexusRuleRow } from './sales-tax.contract.ts';
import { stateName } from './state-name.ts';
import styles from './sales-tax.module.css';

const MEASURES = { gross: 'All sales', taxable: 'Taxable sales' };
const WINDOWS = { calendar_year: 'This calendar year or the one before', rolling_12: 'The last twelve months' };

export function RuleForm({ rule, state, from, onClose }: { rule: NexusRuleRow | null; state: string; from: string;
  onClose: () => void }) {
  const refresh = useRefresh([salesTaxEndpoints.report]);
  const form = useResourceForm({
    initial: { state, threshold_minor: rule?.threshold_minor ?? null, transactions: rule?.transactions ?? null,
      needs_both: rule?.needs_both ?? false, measure: (rule?.measure ?? 'gross') as NexusRuleRow['measure'] | null,
      counted_over: (rule?.counted_over ?? 'calendar_year') as NexusRuleRow['counted_over'] | null,
      source: rule?.source ?? '',
      valid_from: (rule?.valid_from ?? from) as string | null },
    ...(rule === null ? {} : { record: { entity: 'nexus_rule', id: rule.id, version: rule.version,
      read: salesTaxEndpoints.report } }),
    submit: ({ state: of, valid_from, measure, counted_over, ...rest }) => {
      const values = { ...rest, measure: measure ?? 'gross', counted_over: counted_over ?? 'calendar_year' };
      return rule === null
        ? call(salesTaxEndpoints.enterRule, { body: { ...values, state: of, valid_from: valid_from ?? '' } })
        : call(salesTaxEndpoints.changeRule, { params: { id: rule.id }, body: { ...values, version: rule.version } });
    },
    onSaved: () => { toast('Rule saved'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={rule === null ? 'Rule of economic nexus' : `Rule of ${stateName(state)}`}>
      <FormFrame form={form} aria-label="Rule of economic nexus">
        {rule === null && <TextField label="State" required caption="US-PA" {...form.field('state')} />}
        <MoneyField label="Sales" currency="USD" caption="Leave empty if the state sets no amount."
          {...form.field('threshold_minor')} />
        <NumberField label="Number of sales" caption="Leave empty if the state sets no number."
          {...form.field('transactions')} />
        <Checkbox label="Both must be reached" {...form.field('needs_both')} />
        <AsyncSelect label="Counted" required options={choicesOf(MEASURES)} {...form.field('measure')} />
        <AsyncSelect label="Over" required options={choicesOf(WINDOWS)} {...form.field('counted_over')} />
        {rule === null && <DateField label="From" required {...form.field('valid_from')} />}
        <TextField label="Source" caption="The state’s publication or web page." {...form.field('source')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>Save rule</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}
