/** The steps of a VAT return: prepared, filed by another person, withdrawn; its files and its receipt. */
import { Download, Stamp } from 'lucide-react';
import { useState } from 'react';
import { quartersEndingIn } from '#kernel/tax/vat-period.ts';
import { call } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { downloadFile } from '#web/data/download-file.ts';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { FileWithHmrcForm } from '../hmrc/file-with-hmrc.web.tsx';
import type { HmrcConnection } from '../hmrc/hmrc.contract.ts';
import { vatReturnEndpoints, type VatReport, type TaxReturnRow } from './vat-return.contract.ts';
import styles from './vat-return.module.css';

const STALE = [approvalEndpoints.list, vatReturnEndpoints.report, vatReturnEndpoints.list, vatReturnEndpoints.items];
interface ReturnFile { label: string; kind: 'return' | 'mtd' | 'oss' | 'ec_list'; from: string; to: string }

/** The one-stop shop has quarters of the calendar, whatever the months of the return are. */
function filesOf({ division, from, to }: VatReport): ReturnFile[] {
  const boxes: ReturnFile = { label: 'Boxes and items (CSV)', kind: 'return', from, to };
  if (division === 'UK') return [boxes, { label: 'For Making Tax Digital (JSON)', kind: 'mtd', from, to }];
  return [boxes,
    ...quartersEndingIn({ from, to }).map((quarter): ReturnFile => ({ kind: 'oss', ...quarter,
      label: `One-stop shop, Q${Math.ceil(Number(quarter.to.slice(5, 7)) / 3)} ${quarter.to.slice(0, 4)} (CSV)` })),
    { label: 'EC sales list (CSV)', kind: 'ec_list', from, to }];
}

/** Handed in before the home return is filed, they miss what is posted in between (vat-returns.md). */
const isEarly = ({ prepared }: VatReport, { kind }: ReturnFile): boolean =>
  (kind === 'oss' || kind === 'ec_list') && prepared?.status !== 'filed';

const fileHref = ({ division }: VatReport, { kind, from, to }: ReturnFile): string =>
  `${vatReturnEndpoints.export.path}?${new URLSearchParams({ division, from, to, kind })}`;

export function ReturnActions({ report, hmrc }: { report: VatReport; hmrc: HmrcConnection | undefined }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState<'file' | 'hmrc' | 'receipt' | null>(null);
  const prepare = useAction(vatReturnEndpoints.prepare, { refresh: STALE, done: 'Return prepared' });
  const [early, setEarly] = useState<ReturnFile | null>(null);
  const download = (file: ReturnFile) => void downloadFile(fileHref(report, file));
  const { prepared } = report;
  const edit = may('transaction.update');
  const online = report.division === 'UK' && hmrc?.state === 'connected';
  const sent = prepared?.at_hmrc ?? null;
  const own = prepared !== null && prepared.prepared_by_id === user?.id;
  return (
    <>
      {edit && prepared === null && (
        <Button variant="primary" reason={report.blocked ?? undefined} pending={prepare.pending}
          onClick={() => void prepare.run({ body: { division: report.division, from: report.from, to: report.to } })}>
          Prepare return
        </Button>)}
      {edit && prepared?.status === 'prepared' && (
        <Button variant="primary" icon={<Glyph icon={Stamp} size={16} />}
          onClick={() => setAsking(online ? 'hmrc' : 'file')}
          reason={own ? 'You prepared it. Another person files it.'
            : sent !== null ? online ? undefined : 'It was sent to HMRC. Connect to HMRC again and file it there.'
              : report.has_changed ? 'Something was posted after it was prepared.' : undefined}>
          {online ? 'File with HMRC' : 'File return'}
        </Button>)}
      {edit && prepared?.status === 'prepared' && sent === null && (
        <DeclineButton endpoint={vatReturnEndpoints.withdraw} params={{ id: prepared.id }} label="Withdraw"
          body={{ version: prepared.version }} title="VAT return" size="regular" refresh={STALE}
          text="Nothing is filed. The period can be prepared again." />)}
      <ActionMenu label="Files and more" actions={[
        ...filesOf(report).map((file) => ({ label: file.label, icon: Download,
          onSelect: () => { if (isEarly(report, file)) setEarly(file); else download(file); } })),
        ...(edit && online && sent === null && prepared?.status === 'prepared' && !own
          ? [{ label: 'File by hand', onSelect: () => setAsking('file') }] : []),
        ...(edit && prepared?.status === 'filed' ? [{ label: 'Enter receipt', onSelect: () => setAsking('receipt') }]
          : []),
      ]} />
      {prepared && asking === 'file' && <FileForm report={report} row={prepared} onClose={() => setAsking(null)} />}
      {prepared && hmrc && asking === 'hmrc' && (
        <FileWithHmrcForm report={report} row={prepared} connection={hmrc} onClose={() => setAsking(null)} />)}
      {prepared && asking === 'receipt' && <ReceiptForm row={prepared} onClose={() => setAsking(null)} />}
      <ConfirmDialog open={early !== null} title="The VAT return of these days is not filed" confirm="Download file"
        text={`${early?.label ?? ''}: sales posted later with a day of this period are still added to it, not shown as `
          + 'corrections. Once you hand the file in, post no more sales of the period before the VAT return is filed.'}
        onCancel={() => setEarly(null)}
        onConfirm={() => { if (early) download(early); setEarly(null); }} />
    </>
  );
}

interface FormProps { row: TaxReturnRow; onClose: () => void }

function FileForm({ report, row, onClose }: FormProps & { report: VatReport }) {
  const refresh = useRefresh(STALE);
  const { set } = useQueryValues();
  const form = useResourceForm({
    initial: { receipt: '' },
    submit: (values) => call(vatReturnEndpoints.file, { params: { id: row.id },
      body: { ...values, version: row.version } }),
    onSaved: () => {
      toast('Return filed');
      onClose();
      // Without days the page would go on to the next period.
      set({ from: row.period_from, to: row.period_to });
      void refresh();
    },
  });
  const amount = formatAmount(Math.abs(row.net_minor), report.currency);
  return (
    <Modal open onClose={onClose} title="File the VAT return">
      <FormFrame form={form} aria-label="File the VAT return" guard={false}>
        <p className={styles.lead}>{`Copy the boxes into the form of ${report.division === 'UK' ? 'HMRC'
          : 'the tax authority'} and send it there. Filing here freezes its documents, posts ${amount} to VAT `
          + 'control, and locks the period for tax. This cannot be undone: a mistake is put right on the next return.'}
        </p>
        <TextField label="Receipt" {...form.field('receipt')}
          caption="The reference number from the tax authority. You can enter it later." />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>File return</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

export function ReceiptForm({ row, onClose, refresh: stale = STALE }: FormProps
& { refresh?: readonly AnyEndpoint[] }) {
  const refresh = useRefresh(stale);
  const form = useResourceForm({
    initial: { receipt: row.receipt },
    record: { entity: 'tax_return', id: row.id, version: row.version, read: vatReturnEndpoints.list },
    submit: (values) => call(vatReturnEndpoints.receipt, { params: { id: row.id },
      body: { ...values, version: row.version } }),
    onSaved: () => { toast('Receipt saved'); onClose(); void refresh(); },
  });
  return (
    <Modal open onClose={onClose} title="Receipt of the return">
      <FormFrame form={form} aria-label="Receipt of the return">
        <TextField label="Receipt" required {...form.field('receipt')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>Save receipt</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

/** Preparer and filer of the return, and its posting. */
export function ReturnFacts({ report: { prepared } }: { report: VatReport }) {
  if (!prepared) return null;
  return (
    <Section title="Filing">
      <KeyValue facts={[
        { label: 'Prepared by', value: <>{prepared.prepared_by_name}, <DateText value={prepared.prepared_at} /></> },
        prepared.filed_at !== null && { label: 'Filed by',
          value: <>{prepared.filed_by_name}, <DateText value={prepared.filed_at} /></> },
        prepared.receipt !== '' && { label: 'Receipt', value: prepared.receipt },
        prepared.transaction_id !== null && { label: 'Posted', value: (
          <AppLink href={`/admin/accounting/transactions/${prepared.transaction_id}`}>VAT return in the ledger</AppLink>
        ) },
      ]} />
    </Section>
  );
}
