/** A payment to one payee, from its own page or from the page of a bill. */
import { paymentEndpoints } from '#modules/receivables/payments/payment.contract.ts';
import { toast } from '#web/data/toast.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { PAYABLES } from '../payables-tabs.ts';
import { billEndpoints } from '../bill/bill.contract.ts';
import { PayForm } from './pay-form.web.tsx';
import { PAYMENTS } from './payment-words.web.tsx';

export default function PaymentCreate() {
  const may = useMay();
  const { go } = useNavigation();
  const { values } = useQueryValues();
  const refresh = useRefresh([paymentEndpoints.list, billEndpoints.list]);
  const number = (name: string): number | null => Number(values.get(name)) || null;
  const text = (name: 'division' | 'currency') => {
    const value = values.get(name);
    return value === null ? {} : { [name]: value };
  };
  return (
    <>
      <PageHeader title="New payment" back={PAYMENTS} subtitle="Another person approves it before it is made" />
      <PageContent record>
        <PayForm wanted={{ row: null, bill: number('bill_id'), asked: { account: null, type: 'vendor',
          party: number('vendor_id'), method: null, ...text('division'), ...text('currency') } }}
        onSaved={(row) => {
          toast(`${row.number} waits for approval`);
          void refresh();
          go(`${may('payment.update') ? PAYMENTS : `${PAYABLES}/payments`}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}
