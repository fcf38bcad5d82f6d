/** Keys of the card processor by division: entered after a confirmation, never shown again. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { processorKeyEndpoints, type ProcessorKeyRow }
  from '#modules/receivables/online/processor-key.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import styles from './system.module.css';

export function CardProcessor() {
  const read = useEndpoint(processorKeyEndpoints.list, {});
  const rows = read.data?.data;
  return (
    <Section title="Card processor" description="Each division has an account of its own with Stripe. Customers pay by
      card and bank debit as soon as its key is here, or in the environment of the server.">
      {read.isError && !rows && <NotLoaded title="They did not load" read={read} />}
      {rows && <ul className={styles.rows}>{rows.map((row) => <Account key={row.division} row={row} />)}</ul>}
    </Section>
  );
}

function wordsOf(row: ProcessorKeyRow): string {
  switch (row.source) {
    case 'none': return 'No key: paid by transfer and check';
    case 'test': return 'The test processor of the demo season';
    case 'environment': return `Set where the server is started, ends with ${row.last4}`;
    case 'settings': return `Ends with ${row.last4}, entered${row.changed_by_name ? ` by ${row.changed_by_name}` : ''}${
      row.changed_at ? ` on ${formatDay(row.changed_at.slice(0, 10))}` : ''}`;
  }
}

function Account({ row }: { row: ProcessorKeyRow }) {
  const [doing, setDoing] = useState<'enter' | 'remove' | null>(null);
  const close = () => setDoing(null);
  const remove = useAction(processorKeyEndpoints.save, { done: 'Key removed', refresh: [processorKeyEndpoints.list] });
  return (
    <li className={styles.variable}>
      <strong>{row.name}</strong>
      <span>{wordsOf(row)} {row.is_test && <Badge tone="warn" small>Test, no money moves</Badge>}</span>
      <span>
        {row.source !== 'test' && (
          <Button size="small" onClick={() => setDoing('enter')}>
            {row.source === 'settings' ? 'Change key' : 'Enter key'}<span className="gr-hidden"> of {row.name}</span>
          </Button>)}
        {row.source === 'settings' && (
          <Button size="small" pending={remove.pending} onClick={() => setDoing('remove')}>
            Remove<span className="gr-hidden"> the key of {row.name}</span></Button>)}
      </span>
      {doing === 'enter' && <KeyForm row={row} onClose={close} />}
      <ConfirmDialog open={doing === 'remove'} title={`Remove the key of ${row.name}?`} confirm="Remove key"
        text="Customers can no longer pay by card. Payments that are on their way are not read until there is a key
          again." onCancel={close} onConfirm={() => {
          close();
          void remove.run({ params: { division: row.division }, body: { remove: true, version: row.version } });
        }} />
    </li>
  );
}

function KeyForm({ row, onClose }: { row: ProcessorKeyRow; onClose: () => void }) {
  const refresh = useRefresh([processorKeyEndpoints.list]);
  const stored = row.source === 'settings';
  const form = useResourceForm({
    initial: { key: '', webhook_secret: '' },
    record: { version: row.version, read: processorKeyEndpoints.list },
    submit: (values) => call(processorKeyEndpoints.save, { params: { division: row.division },
      body: { ...values, version: row.version } }),
    onSaved: () => { toast('Key saved'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Stripe account of ${row.name}`} width={560}>
      <FormFrame form={form} aria-label={`Stripe account of ${row.name}`}>
        <p>The account pays out in {row.currency}. Point its webhook to <code>{row.webhook_url}</code>.</p>
        <TextField label="Secret key" autoComplete="off" maxLength={300} {...form.field('key')}
          caption={stored ? 'Leave empty to keep the key that is stored'
            : 'Begins with sk_live_; sk_test_ moves no money'} />
        <TextField label="Webhook secret" autoComplete="off" maxLength={300} {...form.field('webhook_secret')}
          caption={stored ? 'A new one is accepted beside the one before it' : 'Begins with whsec_'} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save key</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
