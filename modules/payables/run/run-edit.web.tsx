/** The change of a run that is not exported. */
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { runEndpoints, type RunDetail } from './payment-run.contract.ts';
import { RunForm } from './run-form.web.tsx';

export function RunEdit({ run, onClose }: { run: RunDetail; onClose: () => void }) {
  const refresh = useRefresh([runEndpoints.list, runEndpoints.payables, approvalEndpoints.list]);
  return (
    <Modal open onClose={onClose} title={`Change ${run.number}`} width={860}>
      {run.status === 'approved' && <Callout tone="info">A change takes the approval back.</Callout>}
      <RunForm row={run} onSaved={() => {
        toast('Run changed; another person approves it');
        void refresh();
        onClose();
      }} />
    </Modal>
  );
}
