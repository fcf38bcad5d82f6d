/** Discount and negotiated fee of a draft; above the limit a second person approves (domain.md 2.11). */
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, errorsOf, useFields } from '../../action-dialog.web.tsx';
import type { LicenseDialogProps } from '../license-view.web.ts';
import { DiscountApprovers, DiscountDecision } from './discount-decision.web.tsx';
import { PriceChange } from './price-change.web.tsx';
import { pricingEndpoints, type StoredPrice } from './pricing.contract.ts';
import styles from '../../licensing.module.css';

/** Stands for the reason while there is none: a preview stores nothing. */
const PREVIEW = 'Preview';

export function DiscountDialog(props: LicenseDialogProps) {
  const read = useEndpoint(pricingEndpoints.trace, { params: { licenseId: props.view.license.id } });
  if (!read.data && !read.isError) return null;
  return <DiscountForm {...props} current={read.data?.data.discount ?? null} />;
}

function DiscountForm({ view, onClose, current }: LicenseDialogProps & { current: StoredPrice['discount'] }) {
  const { license } = view;
  const params = { licenseId: license.id };
  const action = useAction(pricingEndpoints.discount, { onFailure: () => undefined, onDone: onClose,
    done: 'The discount is saved' });
  const { values, field } = useFields({
    type: (current?.type === 'amount' ? 'amount' : 'percent') as 'amount' | 'percent',
    ppm: current?.ppm ?? null, amount_minor: current?.amount_minor ?? null, reason: current?.reason ?? '',
    internal_reason: current?.internal_reason ?? '',
  }, action.failure);
  const percent = values.type === 'percent';
  const size = percent ? values.ppm : values.amount_minor;
  const submit = () => void action.run({ params, body: { version: license.version, discount: !size ? null : {
    type: values.type, reason: values.reason, internal_reason: values.internal_reason,
    ...(percent ? { ppm: size } : { amount_minor: size }) } } });
  const missing = size ? (values.reason.trim() ? undefined : 'Say why it is given')
    : current ? undefined : 'Enter the discount';
  const at = (name: string) => errorsOf(action.failure)[`discount.${name}`];
  return (
    <ActionDialog title="Discount" submit={size || !current ? 'Save discount' : 'Remove discount'} action={action}
      onClose={onClose} onSubmit={submit} reason={missing}
      known={['discount.ppm', 'discount.amount_minor', 'discount.reason', 'discount.internal_reason']}
      text="Applied to the royalty. Discounts over 10% need approval from a second person.">
      {current?.needs_approval && !current.approved_by_id && (
        <Callout tone="warn" title="Awaiting approval"
          action={<DiscountDecision license={license} discount={current} onDone={onClose} />}>
          <DiscountApprovers discount={current} />
        </Callout>
      )}
      {current?.approved_by_name && <Callout tone="ok">Approved by {current.approved_by_name}.</Callout>}
      <SegmentedControl label="Kind" choices={[{ value: 'percent', label: 'Percentage' }, { value: 'amount',
        label: 'Amount' }]}
        {...field('type')} />
      <div className={styles.pair}>
        {percent ? <PercentField label="Discount" {...field('ppm')} error={at('ppm')} />
          : <MoneyField label="Discount" currency={license.currency} {...field('amount_minor')}
            error={at('amount_minor')} />}
      </div>
      <TextField label="Reason for the customer" required={Boolean(size)} rows={2} {...field('reason')}
        error={at('reason')} caption="Printed on the offer." />
      <TextField label="Internal reason" rows={2} {...field('internal_reason')} error={at('internal_reason')}
        caption="For staff only. The person who approves reads it." />
      <PriceChange license={license} wish={{ discount: size ? { type: values.type,
        reason: values.reason.trim() || PREVIEW, ...(percent ? { ppm: size } : { amount_minor: size }) } : null }} />
    </ActionDialog>
  );
}

export function NegotiateDialog(props: LicenseDialogProps) {
  const read = useEndpoint(pricingEndpoints.trace, { params: { licenseId: props.view.license.id } });
  if (!read.data && !read.isError) return null;
  return <NegotiateForm {...props} current={read.data?.data.negotiated_reason ?? null} />;
}

function NegotiateForm({ view, onClose, current }: LicenseDialogProps & { current: string | null }) {
  const { license } = view;
  const action = useAction(pricingEndpoints.negotiate, { onFailure: () => undefined, onDone: onClose,
    done: 'The fee is saved' });
  const { values, field } = useFields({ fee: null as number | null, reason: current ?? '' }, action.failure);
  const at = (name: string) => errorsOf(action.failure)[`negotiated.${name}`];
  const submit = () => void action.run({ params: { licenseId: license.id }, body: { version: license.version,
    negotiated: values.fee === null ? null : { reason: values.reason, fee_per_performance_minor: values.fee } } });
  return (
    <ActionDialog title="Negotiated fee" submit={values.fee === null && current ? 'Return to the rate card'
      : 'Save fee'}
      action={action} onClose={onClose} onSubmit={submit}
      known={['negotiated.fee_per_performance_minor', 'negotiated.reason']}
      reason={values.fee === null ? (current ? undefined : 'Enter the fee') : values.reason.trim() ? undefined
        : 'Say why'}
      text="Replaces the rate card for every performance of this draft.">
      {current && <Callout tone="info" title="A negotiated fee applies">{current} Left empty,
        the rate card applies again.</Callout>}
      <div className={styles.pair}>
        <MoneyField label="Fee per performance" currency={license.currency} {...field('fee')}
          error={at('fee_per_performance_minor')} />
      </div>
      <TextField label="Reason" required={values.fee !== null} rows={2} {...field('reason')} error={at('reason')} />
      <PriceChange license={license} wish={{ negotiated: values.fee === null ? null
        : { reason: values.reason.trim() || PREVIEW, fee_per_performance_minor: values.fee } }} />
    </ActionDialog>
  );
}
