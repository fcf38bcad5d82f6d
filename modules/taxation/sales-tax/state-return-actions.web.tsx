/** The steps of a state's return: prepared, filed by another person, paid by a bill; its file and its confirmation. */
import { Download, Stamp } from 'lucide-react';
import { useState } from 'react';
import { vendorEndpoints } from '#modules/operations/vendor/vendor.contract.ts';
import { billEndpoints } from '#modules/payables/bill/bill.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { call } from '#kit/client.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { downloadFile } from '#web/data/download-file.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ReceiptForm } from '../returns/return-actions.web.tsx';
import { vatReturnEndpoints, type TaxReturnRow } from '../returns/vat-return.contract.ts';
import { salesTaxReturnEndpoints, type SalesTaxReturn } from './sales-tax-return.contract.ts';
import { fileReturnCall, STALE } from './sales-tax-words.web.ts';
import styles from './sales-tax.module.css';

const fileHref = ({ division, state, from, to }: SalesTaxReturn): string =>
  `${salesTaxReturnEndpoints.export.path}?${new URLSearchParams({ division, state, from, to })}`;

export function StateReturnActions({ report }: { report: SalesTaxReturn }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState<'file' | 'receipt' | 'bill' | null>(null);
  const prepare = useAction(salesTaxReturnEndpoints.prepare, { refresh: STALE, done: 'Return prepared' });
  const { prepared, division, state, from, to } = report;
  const edit = may('transaction.update');
  const own = prepared !== null && prepared.prepared_by_id === user?.id;
  const close = () => setAsking(null);
  return (
    <>
      {edit && prepared === null && (
        <Button variant="primary" reason={report.blocked ?? undefined} pending={prepare.pending}
          onClick={() => void prepare.run({ body: { division, state, from, to } })}>Prepare return</Button>)}
      {edit && prepared?.status === 'prepared' && (
        <Button variant="primary" icon={<Glyph icon={Stamp} size={16} />} onClick={() => setAsking('file')}
          reason={own ? 'You prepared it. Another person files it.'
            : report.has_changed ? 'Something was posted after it was prepared.' : undefined}>File return</Button>)}
      {edit && prepared?.status === 'prepared' && (
        <DeclineButton endpoint={vatReturnEndpoints.withdraw} params={{ id: prepared.id }} label="Withdraw"
          body={{ version: prepared.version }} title="Sales tax return" size="regular" refresh={STALE}
          text="Nothing is filed. The period can be prepared again." />)}
      {may('bill.create') && prepared?.status === 'filed' && prepared.bill_id === null && prepared.net_minor > 0 && (
        <Button variant="primary" onClick={() => setAsking('bill')}>Enter bill</Button>)}
      <ActionMenu label="Files and more" actions={[
        { label: 'Figures and documents (CSV)', icon: Download,
          onSelect: () => void downloadFile(fileHref(report)) },
        ...(edit && prepared?.status === 'filed' ? [{ label: 'Enter confirmation',
          onSelect: () => setAsking('receipt') }] : []),
      ]} />
      {prepared && asking === 'file' && <FileForm report={report} row={prepared} onClose={close} />}
      {prepared && asking === 'bill' && <BillForm report={report} row={prepared} onClose={close} />}
      {prepared && asking === 'receipt' && <ReceiptForm row={prepared} refresh={STALE} onClose={close} />}
    </>
  );
}

type Credit = 'carry_forward' | 'refund';
const CREDITS: readonly { value: Credit; label: string }[] = [
  { value: 'carry_forward', label: 'Carry forward to the next return' },
  { value: 'refund', label: 'Ask for a refund' },
];

interface FormProps { report: SalesTaxReturn; row: TaxReturnRow; onClose: () => void }

function FileForm({ report, row, onClose }: FormProps) {
  const refresh = useRefresh(STALE);
  const { set } = useQueryValues();
  const form = useResourceForm({
    initial: { filed_on: null as string | null, receipt: '', credit: 'carry_forward' as Credit },
    submit: ({ filed_on, receipt, credit }) => fileReturnCall(row.id, { receipt, credit, version: row.version,
      filed_on: filed_on ?? undefined }),
    onSaved: () => {
      toast('Return filed');
      onClose();
      // Without days the page would go on to the next period.
      set({ from: row.period_from, to: row.period_to });
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title="File the sales tax return">
      <FormFrame form={form} aria-label="File the sales tax return" guard={false}>
        <p className={styles.lead}>{`Enter the figures on the website of ${report.state_name} and file them there. `
          + `Filing here freezes its documents: ${row.net_minor < 0
            ? `a credit of ${formatAmount(-row.net_minor, 'USD')}` : `${formatAmount(row.net_minor, 'USD')} to pay`}. `
          + 'A mistake is put right on the next return.'}</p>
        <DateField label="Filed on" caption="Defaults to today. After the due date there is no vendor discount."
          {...form.field('filed_on')} />
        <TextField label="Confirmation" {...form.field('receipt')}
          caption="The number that the state answered. You can enter it later." />
        {row.net_minor < 0 && <RadioGroup label="Credit" {...form.field('credit')} choices={CREDITS} />}
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>File return</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

const vendors = optionsFrom(vendorEndpoints.list, (row) => ({ value: row.id, label: row.name, children: row.number }),
  { query: { active: 'true' } });

function BillForm({ report, row, onClose }: FormProps) {
  const refresh = useRefresh([...STALE, billEndpoints.list]);
  const { go } = useNavigation();
  const form = useResourceForm({
    initial: { vendor_id: null as number | null },
    submit: ({ vendor_id }) => call(billEndpoints.payReturn, { params: { id: row.id },
      body: { vendor_id: vendor_id ?? 0 } }),
    onSaved: ({ data }) => {
      toast('Draft entered. Check it, then submit it');
      void refresh();
      go(`/admin/accounting/bills/${data.id}`);
    },
  });
  return (
    <Modal open onClose={onClose} title="Enter the bill of the return">
      <FormFrame form={form} aria-label="Enter the bill of the return" guard={false}>
        <p className={styles.lead}>{`A draft over ${formatAmount(row.net_minor, 'USD')}${row.discount_minor === 0 ? ''
          : `, less the vendor discount of ${formatAmount(row.discount_minor, 'USD')}`}. Once it is approved, the next `
          + 'payment run pays it.'}</p>
        <AsyncSelect<number> label="Vendor" required source={vendors} {...form.field('vendor_id')}
          caption={`The vendor that stands for the tax department of ${report.state_name}.`} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>Enter bill</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}
