/** Signature on paper, refusal, execution: what the customer decided outside the portal, put on record. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Money } from '#web/data/money.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, errorsOf, useFields } from '../../action-dialog.web.tsx';
import { optionsOf, POLICY_WORDS, totalWords, wordsOf } from '../../words.web.ts';
import type { LicenseDialogProps } from '../license-view.web.ts';
import { DECLINE_WORDS, licenseEndpoints } from '../license.contract.ts';
import styles from '../../licensing.module.css';
import { LICENSE_MONEY } from '../../money/license-money.web.ts';

export function SignDialog({ view, onClose }: LicenseDialogProps) {
  const { license, on } = view;
  const [file, setFile] = useState<File | null>(null);
  /** File the server has answered about; another choice is not refused yet. */
  const [sent, setSent] = useState<File | null>(null);
  const action = useAction(licenseEndpoints.sign, { refresh: LICENSE_MONEY,
    onFailure: () => undefined, onDone: onClose,
    done: 'The signature is recorded' });
  const { values, field } = useFields({ signer_name: '', signer_title: '', signed_on: on as string | null,
    confirm_name: false }, action.failure);
  const { confirm_name: asked } = errorsOf(action.failure);
  const missing = !file ? 'Choose the signed contract'
    : !values.signer_name.trim() ? 'Enter the name of the signer' : !values.signed_on ? 'Enter the day' : undefined;
  const submit = () => {
    if (!file || !values.signed_on) return;
    const body = { version: license.version, offer_version: license.offer_version, signer_name: values.signer_name,
      signed_on: values.signed_on, ...(values.signer_title.trim() ? { signer_title: values.signer_title } : {}),
      ...(values.confirm_name ? { confirm_name: 'true' as const } : {}) };
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.append(name, String(value));
    form.append('document', file);
    setSent(file);
    void action.run({ params: { licenseId: license.id }, body }, { form });
  };
  return (
    <ActionDialog title="Record the signature" submit="Record signature" reason={missing} action={action}
      known={['signer_name', 'signer_title', 'signed_on', 'confirm_name', 'document']} onSubmit={submit}
      onClose={onClose}
      text={`For a contract signed on paper. It must be version ${license.offer_version} of the offer.`}>
      <FileDrop label="Signed contract" types={['.pdf', '.png', '.jpg', '.jpeg']} taken="chosen"
        error={file === sent ? errorsOf(action.failure).document : null}
        onUpload={(chosen) => { setFile(chosen); return Promise.resolve(); }} />
      <div className={styles.pair}>
        <TextField label="Signed by" required autoComplete="off" {...field('signer_name')} />
        <TextField label="Title" {...field('signer_title')} />
      </div>
      {(asked !== undefined || values.confirm_name) && (
        <Checkbox label={`${values.signer_name.trim() || 'This person'} has the right to sign for this customer`}
          {...field('confirm_name')} />
      )}
      <DateField label="Signed on" required max={on} {...field('signed_on')} />
    </ActionDialog>
  );
}

export function DeclineDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const action = useAction(licenseEndpoints.decline, { onFailure: () => undefined, onDone: onClose,
    done: 'The refusal is recorded' });
  const { values, field } = useFields({ reason_code: null as string | null, reason: '' }, action.failure);
  return (
    <ActionDialog title="Record the customer's refusal" submit="Record refusal" danger action={action} onClose={onClose}
      text="The offer ends; the dates are free again for others. It can be reopened later."
      known={['reason_code', 'reason']} reason={values.reason_code ? undefined : 'Choose the reason'}
      onSubmit={() => void action.run({ params: { licenseId: license.id }, body: { version: license.version,
        reason_code: values.reason_code as keyof typeof DECLINE_WORDS,
        ...(values.reason.trim() ? { reason: values.reason } : {}) } })}>
      <AsyncSelect label="Reason" required options={optionsOf(DECLINE_WORDS)} {...field('reason_code')} />
      <TextField label="Their reason" rows={3} {...field('reason')} />
    </ActionDialog>
  );
}

export function ExecuteDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const action = useAction(licenseEndpoints.execute, { refresh: LICENSE_MONEY,
    onFailure: () => undefined, onDone: onClose,
    done: ({ data }) => [spell`The license is executed.`, data.ordering].filter(Boolean).join(' ') });
  const { values, field } = useFields({ purchase_order_no: license.purchase_order_no ?? '', reason: '' },
    action.failure);
  const byOrder = license.execution_policy === 'purchase_order';
  return (
    <ActionDialog title={spell`Execute the license`} submit={spell`Execute license`} action={action} onClose={onClose}
      known={['purchase_order_no', 'reason']}
      text="This grants the rights, invoices what is due and orders the materials."
      onSubmit={() => void action.run({ params: { licenseId: license.id }, body: { version: license.version,
        ...(values.reason.trim() ? { reason: values.reason } : {}),
        ...(values.purchase_order_no.trim() ? { purchase_order_no: values.purchase_order_no } : {}) } })}>
      <Callout tone="info"
        title={`Its terms ask for: ${wordsOf(POLICY_WORDS, license.execution_policy).toLowerCase()}`}>
        {totalWords(license)}: <Money minor={license.grand_total_minor} strong />, paid{' '}
        <Money minor={license.paid_minor} strong />.
      </Callout>
      {byOrder && <TextField label="Purchase order number" required {...field('purchase_order_no')} />}
      <TextField label="Reason" rows={2} caption="Needed where its terms are not met." {...field('reason')} />
    </ActionDialog>
  );
}
