/** Changes of the organization's own details: asked for here, made once the licensing office confirms them. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import type { Address } from '#kit/field.ts';
import { CUSTOMER_KIND_NAMES, CUSTOMER_KINDS } from '#modules/customers/customer/customer.contract.ts';
import { ownDetailsEndpoints, type OwnDetails } from '#modules/customers/own-details/own-details.contract.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { AddressFields, NO_ADDRESS } from '#web/controls/address/address-section.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { Certificates } from './certificates.web.tsx';
import { CardSkeleton, WAITING } from './portal-parts.web.tsx';
import styles from './portal.module.css';

type State = ResponseOf<typeof ownDetailsEndpoints.show>['data'];
const KINDS = CUSTOMER_KINDS.map((kind) => ({ value: kind, label: CUSTOMER_KIND_NAMES[kind] }));

/** At the end of an application: what offers and invoices will miss. */
export function MissingDetails({ customerId, mayAsk }: { customerId: number; mayAsk: boolean }) {
  const read = useEndpoint(ownDetailsEndpoints.show, { params: { id: customerId } });
  const [open, setOpen] = useState(false);
  const state = read.data?.data;
  if (!state || state.billing_address !== null || state.request?.status === 'waiting') return null;
  return (
    <>
      <Callout tone="warn" title="Your billing address is missing"
        action={mayAsk && <Button onClick={() => setOpen(true)}>Enter details</Button>}>
        {mayAsk ? 'Offers and invoices need one. You can apply without it and enter it later.'
          : spell`Offers and invoices need one. An admin of your organization enters it under Information.`}
      </Callout>
      {mayAsk && <Certificates customerId={customerId} mayChange country={state.country} />}
      <Modal open={open} onClose={() => setOpen(false)} width={640} title="Your details">
        {open && <DetailsForm state={state} first onSaved={() => setOpen(false)} />}
      </Modal>
    </>
  );
}

export function OwnDetailsCard({ customerId, mayAsk }: { customerId: number; mayAsk: boolean }) {
  const read = useEndpoint(ownDetailsEndpoints.show, { params: { id: customerId } });
  const [open, setOpen] = useState(false);
  const state = read.data?.data;
  if (read.isPending) return <CardSkeleton {...WAITING.addresses} />;
  if (!state || (!mayAsk && state.request?.status !== 'waiting')) return null;
  return (
    <Card title="Change your details">
      <div className={styles.stack}>
        <Request state={state} mayAsk={mayAsk} />
        {mayAsk && (
          <>
            <p className={styles.muted}>{spell`Legal name, kind, billing address, phone and VAT number of your
              organization. We check every change before it counts.`}</p>
            <div><Button onClick={() => setOpen(true)}>Change details</Button></div>
          </>
        )}
      </div>
      <Modal open={open} onClose={() => setOpen(false)} width={640} title="Change details">
        {open && <DetailsForm state={state} onSaved={() => setOpen(false)} />}
      </Modal>
    </Card>
  );
}

function Request({ state, mayAsk }: { state: State; mayAsk: boolean }) {
  const withdraw = useAction(ownDetailsEndpoints.withdraw, { done: 'Change withdrawn' });
  const { request } = state;
  if (request?.status === 'declined') {
    return <Callout tone="warn" title="We declined your change">{request.reason}</Callout>;
  }
  if (request?.status !== 'waiting') return null;
  return (
    <Callout tone="info" title="Waiting for us to confirm" action={mayAsk && (
      <Button pending={withdraw.pending} onClick={() => void withdraw.run({
        params: { id: state.id, changeId: request.id }, body: { version: request.version } })}>Withdraw</Button>
    )}>
      {`${request.summary}. Asked for by ${request.asked_by_name}.`}
    </Callout>
  );
}

/** `first`: on the page of the first sign-in, where materials may go to the same address. */
export function DetailsForm({ state, onSaved, first = false }: {
  state: State; onSaved: () => void; first?: boolean;
}) {
  const refresh = useRefresh([ownDetailsEndpoints.show]);
  const form = useResourceForm<Record<string, unknown>, unknown>({
    initial: { legal_name: state.legal_name ?? '', kind: state.kind, phone: state.phone ?? '',
      vat_number: state.vat_number ?? '', ship_here: first,
      billing_address: { ...NO_ADDRESS, ...(state.country ? { country_code: state.country } : {}),
        ...state.billing_address } },
    submit: ({ billing_address: address, ship_here: shipHere, ...rest }) => {
      const { premise, ...place } = address as Address;
      const typed = place.thoroughfare !== '' || place.locality !== '' || place.postal_code !== '';
      return call(ownDetailsEndpoints.ask, { params: { id: state.id }, body: { ...(rest as Partial<OwnDetails>),
        ...(first && typed && shipHere === true ? { ship_here: true } : {}),
        ...(typed ? { billing_address: { ...place, ...(premise ? { premise } : {}) } } : {}) } });
    },
    onSaved: () => {
      void refresh();
      onSaved();
      toast('We will confirm your change');
    },
  });
  const text = (name: string) => ({ ...form.field(name), value: form.values[name] as string,
    onChange: (value: string) => form.set(name, value) });
  return (
    <FormFrame form={form} guard={false} aria-label="Change details">
      <FormGrid>
        <TextField label="Legal name" {...text('legal_name')} />
        <AsyncSelect label="Kind" required options={KINDS} {...form.field('kind')}
          value={form.values.kind as OwnDetails['kind']} onChange={(value) => form.set('kind', value)} />
        <TextField label="Phone" type="tel" autoComplete="tel" {...text('phone')} />
        {state.country !== 'US' && <TextField label="VAT number" {...text('vat_number')} />}
      </FormGrid>
      <AddressFields form={form} name="billing_address" countries={COUNTRIES} territoriesOf={territoriesOf} />
      {first && <Checkbox label="Send materials to this address too" value={form.values.ship_here === true}
        onChange={(value) => form.set('ship_here', value)} />}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>
          {first ? 'Send details' : 'Ask for the change'}
        </Button>
      </FormActions>
    </FormFrame>
  );
}
