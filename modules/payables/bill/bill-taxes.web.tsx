/** Tax that is owed to authorities: a bill of each goes the way of every bill, into the next payment run. */
import { useState } from 'react';
import { DIVISIONS } from '#kernel/money/division.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { vendorEndpoints } from '#modules/operations/vendor/vendor.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormGrid } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { BILLS } from './bill-words.web.tsx';
import { billEndpoints, type BillDetail, type TaxDue } from './bill.contract.ts';
import styles from './bill-form.module.css';

type Division = BillDetail['division'];

export function TaxesDue({ of, onClose }: { of: string; onClose: () => void }) {
  const [division, setDivision] = useState<Division>(DIVISIONS.find((one) => one === of) ?? 'US');
  const [on, setOn] = useState<string>(today());
  const read = useEndpoint(billEndpoints.taxes, { query: { division, on } });
  const rows = (read.data?.data ?? []).filter((row) => row.owed_minor - row.billed_minor > 0);
  return (
    <Modal open onClose={onClose} title="Taxes due" width={760}>
      <FormGrid>
        <AsyncSelect<Division> label="Division" name="division" value={division} options={optionsOf(DIVISION_LABELS)}
          onChange={(next) => { if (next !== null) setDivision(next); }} />
        <DateField label="Taxes through" name="on" value={on}
          onChange={(day) => { if (day !== null) setOn(day); }} />
      </FormGrid>
      {read.isLoading && <Skeleton height={80} />}
      {read.error && <Callout tone="error" title="The taxes could not be loaded"
        action={<Button size="small" onClick={() => void read.refetch()}>Try again</Button>}>
        {read.error.message}</Callout>}
      {read.data && rows.length === 0 && <EmptyState title="Nothing is owed"
        text={`${DIVISION_LABELS[division]} owes nothing through ${formatDay(on)} that is not on a bill yet.`} />}
      {rows.map((row) => <Tax key={`${row.ledger_account_id}${row.jurisdiction}${row.currency}`} row={row}
        division={division} on={on} />)}
    </Modal>
  );
}

const vendors = optionsFrom(vendorEndpoints.list, (row) => ({ value: row.id, label: row.name, children: row.number }),
  { query: { active: 'true' } });

/** One authority: the vendor that stands for it is known after the first bill. */
function Tax({ row, division, on }: { row: TaxDue; division: Division; on: string }) {
  const { go } = useNavigation();
  const [vendor, setVendor] = useState<number | null>(row.vendor_id);
  const enter = useAction(billEndpoints.create, { refresh: [billEndpoints.taxes],
    done: 'Draft entered. Check its due date, then submit it', onDone: ({ data }) => go(`${BILLS}/${data.id}`) });
  const net_minor = row.owed_minor - row.billed_minor;
  const description = `${row.account} through ${formatDay(on)}`;
  return (
    <div className={styles.line} role="group" aria-label={`${row.account}, ${row.authority}`}>
      <dl className={styles.facts}>
        <div><dt>{`${row.code} ${row.account}, ${row.authority}`}</dt>
          <dd>{`${formatAmount(net_minor)} ${row.currency}`}</dd></div>
        {row.billed_minor !== 0 && (
          <div><dt>On bills that wait for approval</dt><dd>{formatAmount(row.billed_minor)}</dd></div>)}
      </dl>
      <div className={styles.figures}>
        <AsyncSelect<number> label="Vendor of the authority" name="vendor_id" source={vendors} value={vendor}
          selectedLabel={row.vendor_name ?? undefined} onChange={setVendor} />
        <Button className={styles.remove} pending={enter.pending}
          reason={vendor === null ? 'Choose the vendor that is paid' : undefined}
          onClick={() => void enter.run({ body: { vendor_id: vendor ?? 0, division, currency: row.currency,
            billed_on: today(), lines: [{ ledger_account_id: row.ledger_account_id, description, net_minor,
              jurisdiction: row.jurisdiction }] } })}>Enter bill</Button>
      </div>
    </div>
  );
}
