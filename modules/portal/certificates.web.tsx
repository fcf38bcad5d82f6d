/** Certificates that exempt the organization from sales tax: uploaded here, verified by the licensing office. */
import { useState } from 'react';
import { call, urlOf } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { territoriesOf } from '#modules/reference/places/place.contract.ts';
import {
  CERTIFICATE_KIND_NAMES, CERTIFICATE_KINDS, CERTIFICATE_STATE_NAMES, CERTIFICATE_TONES, ownCertificateEndpoints,
  type OwnCertificate,
} from '#modules/taxation/exemption-certificates/exemption-certificate.contract.ts';
import { asFilled } from '#web/controls/form/as-filled.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CardSkeleton, WAITING } from './portal-parts.web.tsx';
import styles from './portal.module.css';

const STATE_WORDS = { ...CERTIFICATE_STATE_NAMES, pending: 'We are checking it' };
const KINDS = CERTIFICATE_KINDS.map((kind) => ({ value: kind, label: CERTIFICATE_KIND_NAMES[kind] }));
const STATES = [...territoriesOf('US').map(({ code, name }) => ({ value: `US-${code}`, label: name })),
  { value: 'US', label: 'All states' }];
const stateName = (code: string): string => STATES.find((one) => one.value === code)?.label ?? code;

const EXEMPT = spell`Exempt from sales tax, as a school or non-profit? Upload the certificate of your state. Invoices
  are without tax once we have checked it.`;

export function Certificates({ customerId, mayChange, country, state }: {
  customerId: number; mayChange: boolean; country: string | null; state?: string | undefined;
}) {
  const read = useEndpoint(ownCertificateEndpoints.list, { params: { id: customerId } });
  const [open, setOpen] = useState(false);
  const rows = read.data?.data;
  if (read.isPending) return <CardSkeleton title="Tax exemption" lines={WAITING.addresses.lines} />;
  // Sales tax, and what exempts from it, is of the United States.
  if (!rows || (rows.length === 0 && country !== 'US')) return null;
  return (
    <Card title="Tax exemption">
      <div className={styles.stack}>
        {rows.length === 0
          ? <p className={styles.muted}>{EXEMPT}</p>
          : <ul className={styles.list}>{rows.map((row) => (
            <Certificate key={row.id} customerId={customerId} row={row} mayChange={mayChange} />))}</ul>}
        {mayChange && <div><Button onClick={() => setOpen(true)}>Upload a certificate</Button></div>}
      </div>
      {open && <CertificateForm customerId={customerId} state={state} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function Certificate({ customerId, row, mayChange }: { customerId: number; row: OwnCertificate; mayChange: boolean }) {
  const params = { id: customerId, certificateId: row.id };
  const withdraw = useAction(ownCertificateEndpoints.withdraw, { done: 'Certificate withdrawn',
    refresh: [ownCertificateEndpoints.list] });
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <strong>{stateName(row.jurisdiction)}, {row.number}</strong>
        <span>{`${CERTIFICATE_KIND_NAMES[row.kind]}, from ${formatDay(row.valid_from)}`
          + (row.expires_on === null ? '' : ` to ${formatDay(row.expires_on)}`)}</span>
        {row.state === 'refused' && <span>{row.refused_reason}</span>}
        {row.file_name !== null && (
          <a className="gr-link" download=""
            href={urlOf(ownCertificateEndpoints.document, params)}>{row.file_name}</a>)}
      </span>
      <span className={styles.itemSide}>
        <Badge tone={CERTIFICATE_TONES[row.state]}>{STATE_WORDS[row.state]}</Badge>
        {mayChange && row.state === 'pending' && (
          <Button pending={withdraw.pending} onClick={() => void withdraw.run({ params,
            body: { version: row.version } })}>Withdraw</Button>
        )}
      </span>
    </li>
  );
}

function CertificateForm({ customerId, state, onClose }: {
  customerId: number; state: string | undefined; onClose: () => void;
}) {
  const refresh = useRefresh([ownCertificateEndpoints.list]);
  const [file, setFile] = useState<File | null>(null);
  const form = useResourceForm({
    initial: { jurisdiction: STATES.some((one) => one.value === `US-${state}`) ? `US-${state}` : null as string | null,
      number: '', kind: null as OwnCertificate['kind'] | null, valid_from: null as string | null,
      expires_on: null as string | null },
    submit: ({ expires_on, ...rest }) => {
      const body = { ...asFilled(rest), ...(expires_on === null ? {} : { expires_on }) };
      const data = new FormData();
      for (const [name, value] of Object.entries(body)) data.set(name, (value as string | null) ?? '');
      if (file) data.set('file', file);
      return call(ownCertificateEndpoints.upload, { params: { id: customerId }, body }, { form: data });
    },
    onSaved: () => {
      toast('We will check your certificate');
      void refresh();
      onClose();
    },
  });
  return (
    <Modal open onClose={onClose} title="Upload a certificate" width={600}>
      <FormFrame form={form} guard={false} aria-label="Exemption certificate">
        <FormGrid>
          <AsyncSelect label="State" required options={STATES} {...form.field('jurisdiction')} />
          <AsyncSelect label="Kind" required options={KINDS} {...form.field('kind')} />
          <TextField label="Number" required {...form.field('number')} caption="As it stands on the certificate." />
          <DateField label="Valid from" required {...form.field('valid_from')} />
          <DateField label="Last day" {...form.field('expires_on')} caption="Leave empty if it has no end." />
        </FormGrid>
        <FileDrop label="Certificate" taken="chosen" types={['.pdf', '.png', '.jpg', '.jpeg']}
          error={form.errors.file} onUpload={async (chosen) => { setFile(chosen); }} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Upload certificate</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
