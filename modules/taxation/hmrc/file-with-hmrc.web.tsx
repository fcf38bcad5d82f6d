/** Filing a prepared return with HMRC: the declaration HMRC asks for, and what was sent so far. */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { vatReturnEndpoints, type VatReport, type TaxReturnRow } from '../returns/vat-return.contract.ts';
import styles from '../returns/vat-return.module.css';
import { browserFacts } from './browser-facts.web.ts';
import { hmrcEndpoints, type HmrcConnection, type HmrcSubmission } from './hmrc.contract.ts';

const STALE = [vatReturnEndpoints.report, vatReturnEndpoints.list, vatReturnEndpoints.items,
  hmrcEndpoints.submissions, hmrcEndpoints.account];

/** HMRC’s words for who files for their own business. */
const DECLARATION = 'When you submit this VAT information you are making a legal declaration that the information is '
  + 'true and complete. A false declaration can result in prosecution.';

const SANDBOX = 'This installation sends to HMRC’s test environment: the return reaches nobody.';

interface FormProps { report: VatReport; row: TaxReturnRow; connection: HmrcConnection; onClose: () => void }

export function FileWithHmrcForm({ report, row, connection, onClose }: FormProps) {
  const refresh = useRefresh(STALE);
  const { set } = useQueryValues();
  const form = useResourceForm({
    initial: { declared: false },
    submit: ({ declared }) => call(vatReturnEndpoints.fileWithHmrc, { params: { id: row.id },
      body: { version: row.version, browser: browserFacts(), declared: declared as true } })
      // The sent or refused submission is shown behind the dialog.
      .finally(() => void refresh()),
    onSaved: () => {
      toast('Return filed with HMRC');
      onClose();
      set({ from: row.period_from, to: row.period_to });
    },
  });
  const amount = formatAmount(Math.abs(row.net_minor), report.currency);
  return (
    <Modal open onClose={onClose} title="File with HMRC">
      <FormFrame form={form} aria-label="File with HMRC" guard={false}>
        {connection.environment === 'sandbox' && <p className={styles.lead}>{SANDBOX}</p>}
        <p className={styles.lead}>{row.at_hmrc === null
          ? `The nine boxes of the prepared return are sent to HMRC. Then its documents are frozen, ${amount} is `
            + 'posted to VAT control, and the period is locked for tax. This cannot be undone.'
          : 'The return was sent before. HMRC’s copy is read back and compared before anything is sent again.'}</p>
        <Checkbox label={DECLARATION} {...form.field('declared')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>File with HMRC</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}

const STATES: Record<HmrcSubmission['state'], readonly ['ok' | 'warn' | 'error', string]> = {
  sent: ['warn', 'Answer awaited'], accepted: ['ok', 'Accepted'], refused: ['error', 'Refused'],
  not_received: ['warn', 'Not received'],
};

/** The last time the return was sent, with HMRC's receipt. */
export function HmrcReceipt({ row }: { row: TaxReturnRow }) {
  const { data } = useEndpoint(hmrcEndpoints.submissions, { params: { id: row.id } });
  const last = data?.data[0];
  if (!last) return null;
  const [tone, word] = STATES[last.state];
  return (
    <Section title="Sent to HMRC">
      <KeyValue facts={[
        { label: 'Status', value: <Badge tone={tone} small>{word}</Badge> },
        { label: 'Sent by', value: <>{last.sent_by_name}, <DateText value={last.sent_at} /></> },
        last.environment === 'sandbox' && { label: 'To', value: 'HMRC’s test environment' },
        last.form_bundle_number !== null && { label: 'Form bundle number', value: last.form_bundle_number },
        last.processing_date !== null && { label: 'Processed', value: last.processing_date },
        last.charge_ref_number !== null && { label: 'Charge reference', value: last.charge_ref_number },
        last.refusal !== null && { label: 'Reason', value: last.refusal, wide: true },
        last.is_read_back && { label: 'Receipt', wide: true,
          value: 'HMRC’s answer was lost. The same return was found there; enter its receipt number if you have it.' },
      ]} />
    </Section>
  );
}
