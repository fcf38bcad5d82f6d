/** Rules of a division: automatic offers with their limits, held returns, statutory interest, VAT periods. */
import { formatRate } from '#kernel/money/money.ts';
import { VAT_PERIOD_MONTHS, type VatPeriodMonths } from '#kernel/tax/vat-period.ts';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { systemEndpoints, type DivisionRow } from './system.contract.ts';

const rate = (ppm: number): string => formatRate(BigInt(ppm));

const PERIODS: Readonly<Record<VatPeriodMonths, string>> = { 1: 'Every month', 2: 'Every two months',
  3: 'Every quarter', 4: 'Every four months', 6: 'Every half-year', 12: 'Every year' };

/** American law knows neither VAT nor interest that no contract agrees. */
const isEuropean = (row: DivisionRow): boolean => row.code === 'UK' || row.code === 'EU';

export function ruleFacts(row: DivisionRow) {
  return [
    { label: 'Automatic offers', value: row.auto_offers ? 'On' : 'Off' },
    { label: 'Limits of automatic offers', wide: true, value: row.auto_offer_total_minor === null
      ? 'Not set: people decide everything' : (
        <>
          <Money minor={row.auto_offer_total_minor} currency={row.functional_currency} />,
          {' '}{row.auto_offer_performances} performances, {row.auto_offer_capacity.toLocaleString('en-US')} seats,
          {' '}{row.auto_offer_days_ahead} days ahead
        </>) },
    { label: 'Returns held above', value: `${rate(row.return_gross_limit_ppm)} of gross potential, ${
      rate(row.return_attendance_limit_ppm)} of the seats`, wide: true },
    ...(isEuropean(row) ? [{ label: 'VAT return', value: PERIODS[row.vat_period_months] },
      { label: 'Statutory interest when late', value:
      row.statutory_interest_ppm_per_year === null ? 'Not set'
        : `${rate(row.statutory_interest_ppm_per_year)} a year` }] : []),
  ];
}

interface Values extends Record<string, unknown> {
  auto_offers: boolean; auto_offer_total_minor: number | null; auto_offer_performances: number | null;
  auto_offer_capacity: number | null; auto_offer_days_ahead: number | null; return_gross_limit_ppm: number | null;
  return_attendance_limit_ppm: number | null; statutory_interest_ppm_per_year: number | null;
  vat_period_months: VatPeriodMonths | null;
}

type Rules = Pick<DivisionRow, 'auto_offers' | 'auto_offer_total_minor' | 'auto_offer_performances'
  | 'auto_offer_capacity' | 'auto_offer_days_ahead' | 'return_gross_limit_ppm' | 'return_attendance_limit_ppm'
  | 'statutory_interest_ppm_per_year' | 'vat_period_months'>;

const LABELS = { auto_offers: 'Automatic offers', auto_offer_total_minor: 'Largest total',
  auto_offer_performances: 'Most performances', auto_offer_capacity: 'Largest venue',
  auto_offer_days_ahead: 'Days before the first performance', return_gross_limit_ppm: 'Gross',
  return_attendance_limit_ppm: 'Attendance', statutory_interest_ppm_per_year: 'Statutory interest, per year',
  vat_period_months: 'VAT return' };

export function RulesForm({ row, onClose }: { row: DivisionRow; onClose: () => void }) {
  const refresh = useRefresh([systemEndpoints.divisions]);
  const form = useResourceForm<Values>({
    initial: { auto_offers: row.auto_offers, auto_offer_total_minor: row.auto_offer_total_minor,
      auto_offer_performances: row.auto_offer_performances, auto_offer_capacity: row.auto_offer_capacity,
      auto_offer_days_ahead: row.auto_offer_days_ahead, return_gross_limit_ppm: row.return_gross_limit_ppm,
      return_attendance_limit_ppm: row.return_attendance_limit_ppm,
      statutory_interest_ppm_per_year: row.statutory_interest_ppm_per_year,
      vat_period_months: row.vat_period_months },
    record: { version: row.version, read: systemEndpoints.divisions },
    // Empty fields are sent as they are: the answer reports at the field what belongs there.
    submit: (values) => call(systemEndpoints.updateDivision, { params: { code: row.code },
      body: { ...values as Rules, version: row.version } }),
    onSaved: () => { toast('Rules saved'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Rules: ${row.name}`} width={640}>
      <FormFrame form={form} labels={LABELS} aria-label={`Rules: ${row.name}`}>
        <h3>Automatic offers</h3>
        <Checkbox label="Answer applications automatically" {...form.field('auto_offers')}
          caption="An amateur application for one show that stays within these limits, with clear rights, an approved
            rate card and no overdue invoice, gets its offer at once. Staff review every other application." />
        <FormGrid>
          <MoneyField label={LABELS.auto_offer_total_minor} currency={row.functional_currency}
            caption="Leave empty to have staff review every application." {...form.field('auto_offer_total_minor')} />
          <NumberField label={LABELS.auto_offer_performances} required {...form.field('auto_offer_performances')} />
          <NumberField label={LABELS.auto_offer_capacity} required caption="Seats."
            {...form.field('auto_offer_capacity')} />
          <NumberField label={LABELS.auto_offer_days_ahead} required caption="At least this many days from today."
            {...form.field('auto_offer_days_ahead')} />
        </FormGrid>
        <p>The same limits decide which changes of a licensed production apply without review.</p>
        <h3>Box-office returns</h3>
        <p>A return above one of these limits is held until somebody checks it.</p>
        <FormGrid>
          <PercentField label={LABELS.return_gross_limit_ppm} required
            caption="Of gross potential." {...form.field('return_gross_limit_ppm')} />
          <PercentField label={LABELS.return_attendance_limit_ppm} required caption="Of the seats."
            {...form.field('return_attendance_limit_ppm')} />
        </FormGrid>
        {isEuropean(row) && (
          <>
            <h3>VAT</h3>
            <FormGrid>
              <AsyncSelect label={LABELS.vat_period_months} required
                options={VAT_PERIOD_MONTHS.map((value) => ({ value, label: PERIODS[value] }))}
                caption="As agreed with the tax authority. The next return begins on the day after the last one."
                {...form.field('vat_period_months')} />
            </FormGrid>
            <h3>Late payment</h3>
            <FormGrid>
              <PercentField label={LABELS.statutory_interest_ppm_per_year}
                caption="Of late commercial payments where the contract agrees no rate. Empty: none is proposed."
                {...form.field('statutory_interest_ppm_per_year')} />
            </FormGrid>
          </>
        )}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save rules</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
