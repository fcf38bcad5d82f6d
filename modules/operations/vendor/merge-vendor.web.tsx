/** Staff action on a vendor that was entered twice: merge it into the one that remains. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { vendorMergeEndpoints } from '#modules/payables/vendor-merge/vendor-merge.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { VENDORS } from './vendor-frame.web.tsx';
import { vendorEndpoints, type VendorRow } from './vendor.contract.ts';

const activeVendors = optionsFrom(vendorEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: [row.number, row.address?.locality].filter(Boolean).join(', ') }), { query: { active: 'true' } });

export function MergeButton({ row }: { row: VendorRow }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>Merge vendor</Button>
      {isOpen && <MergeDialog row={row} onClose={() => setOpen(false)} />}
    </>
  );
}

function MergeDialog({ row, onClose }: { row: VendorRow; onClose: () => void }) {
  const { go } = useNavigation();
  const refresh = useRefresh([vendorEndpoints.list]);
  const form = useResourceForm({
    initial: { into_vendor_id: null as number | null },
    submit: ({ into_vendor_id }) => call(vendorMergeEndpoints.merge, { params: { id: row.id },
      body: { into_vendor_id: into_vendor_id ?? 0, version: row.version } }),
    onSaved: ({ data }) => {
      toast(data.is_bank_waiting
        ? `${row.name} was merged into ${data.name}. Its bank details need to be verified by a second person`
        : `${row.name} was merged into ${data.name}`);
      void refresh();
      go(`${VENDORS}/${data.id}`, { replace: true });
    },
  });
  return (
    <Modal open onClose={onClose} title={`Merge ${row.name}`}>
      <FormFrame form={form} guard={false} aria-label="Merge">
        <p>Bills, credits, payments, checks and year-end totals of this vendor will count for the other one, which keeps
          its own details. Where the bank details differ, a second person verifies them before the next payment. A merge
          cannot be undone.</p>
        <AsyncSelect<number> label="Into vendor" required {...form.field('into_vendor_id')} source={activeVendors} />
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending}>Merge</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
