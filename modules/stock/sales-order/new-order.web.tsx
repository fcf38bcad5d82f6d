/** Drafts a sales order: for whom, of which licence, from where, which items. */
import { useState, type FormEvent } from 'react';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormGrid } from '#web/controls/form/form-frame.tsx';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { licenseEndpoints } from '#modules/licensing/licenses/license.contract.ts';
import { warehouseSource } from '../movement/entry-dialog.web.tsx';
import { ScanLines, type ScannedLine } from '../movement/scan-lines.web.tsx';
import { customerSource } from '../stock-sources.web.ts';
import { SALES_ORDERS } from './order-words.web.tsx';
import { salesOrderEndpoints } from './sales-order.contract.ts';
import styles from '../stock.module.css';

const licenseSource = (customer: number) => optionsFrom(licenseEndpoints.list, (row) => ({ value: row.id,
  label: row.title_on_license || row.show_title, children: numbersInWords(row) }),
{ query: { customer_id: customer } });

export function NewOrderDialog({ onClose }: { onClose: () => void }) {
  const { go } = useNavigation();
  const [customer, setCustomer] = useState<number | null>(null);
  const [license, setLicense] = useState<number | null>(null);
  const [warehouse, setWarehouse] = useState<number | null>(null);
  const [shipOn, setShipOn] = useState<string | null>(null);
  const [lines, setLines] = useState<ScannedLine[]>([]);
  const create = useAction(salesOrderEndpoints.create, { onFailure: () => {},
    onDone: ({ data }) => { toast(`${data.number} drafted`); go(`${SALES_ORDERS}/${data.id}`); } });
  const errors = Object.fromEntries(Object.entries(create.failure?.fields ?? {}).map(([path, texts]) =>
    [path, texts[0] ?? '']));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void create.run({ body: { customer_id: customer ?? 0, license_id: license,
      kind: license !== null ? 'license' : lines.every((line) => line.item.sales_item_id !== null) ? 'sales_item'
        : 'book_order',
      lines: lines.map(({ code, quantity }) => ({ code, quantity })),
      ...(warehouse === null ? {} : { warehouse_id: warehouse }), ...(shipOn === null ? {} : { ship_on: shipOn }) } });
  };
  return (
    <Modal open onClose={onClose} width={640} title="New sales order">
      <form className={styles.form} onSubmit={submit} noValidate aria-label="New sales order">
        <FormGrid>
          <AsyncSelect<number> label="Customer" required source={customerSource} value={customer}
            onChange={(value) => { setCustomer(value); setLicense(null); }} error={errors.customer_id} />
          {customer !== null && (
            <AsyncSelect<number> key={customer} label={spell`License`} clearable source={licenseSource(customer)}
              value={license} onChange={setLicense} error={errors.license_id}
              caption={spell`Empty: books or merchandise without a license.`} />
          )}
          <AsyncSelect<number> label="From" clearable source={warehouseSource} value={warehouse}
            onChange={setWarehouse} error={errors.warehouse_id} caption="Empty: the warehouse of the division." />
          <DateField label="Not before" value={shipOn} onChange={setShipOn} error={errors.ship_on} />
        </FormGrid>
        <ScanLines lines={lines} onChange={setLines} errors={errors} quantityLabel="Pieces" />
        {create.failure && create.failure.kind !== 'fields' && (
          <Callout tone="error" live title="This was not drafted">{create.failure.message}</Callout>
        )}
        <FormActions>
          <Button type="submit" variant="primary" pending={create.pending}
            reason={customer === null ? 'Choose the customer'
              : lines.length === 0 ? 'Scan at least one item' : undefined}>
            Draft order
          </Button>
        </FormActions>
      </form>
    </Modal>
  );
}
