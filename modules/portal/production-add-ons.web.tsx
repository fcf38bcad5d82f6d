/** Add-ons of a production: until when each may be used, and those that it may have besides, with their price. */
import { useState } from 'react';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { piecesOf, priceOf } from '#modules/licensing/add-ons/add-on-words.ts';
import { portalLicenseAddOnEndpoints, type LicenseAddOn, type OfferedAddOn }
  from '#modules/licensing/add-ons/license-add-on.contract.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { PriceChange } from './price-change.web.tsx';
import type { ProductionProps } from './production-frame.web.tsx';
import { StreamReports } from './stream-reports.web.tsx';
import { factLine } from './portal-words.web.ts';
import styles from './portal.module.css';

export function ProductionAddOns({ production, portal }: ProductionProps) {
  const read = useEndpoint(portalLicenseAddOnEndpoints.list,
    { params: { id: portal.customerId, licenseId: production.id } });
  const [asked, setAsked] = useState<number | null>(null);
  const held = read.data?.data.held ?? [];
  const offered = production.allowed_actions.includes('amend') ? read.data?.data.offered ?? [] : [];
  const chosen = offered.find((one) => one.add_on_id === asked);
  return (
    <>
      {held.length > 0 && (
        <Card title="Add-ons">
          <ul className={styles.list}>{held.map((row) => <Held key={row.add_on_id} row={row} />)}</ul>
        </Card>
      )}
      {held.map((row) => row.share_ppm !== null && row.refusal !== 'not_valid' && row.refusal !== 'not_open' && (
        <StreamReports key={row.add_on_id} addOn={{ ...row, share_ppm: row.share_ppm }} production={production}
          portal={portal} />
      ))}
      {offered.length > 0 && (
        <Card title={held.length > 0 ? 'More add-ons' : 'Add-ons'}>
          <ul className={styles.list}>
            {offered.map((row) => (
              <Offered key={row.add_on_id} row={row} acting={portal.held !== undefined}
                onAsk={() => setAsked(row.add_on_id)} />
            ))}
          </ul>
        </Card>
      )}
      {chosen && (
        <AskForMore key={chosen.add_on_id} addOn={chosen} production={production} portal={portal}
          onClose={() => setAsked(null)} />
      )}
    </>
  );
}

/** Add-on that is held back; if it is not open yet, or is over, the reason states the day. */
export function Held({ row }: { row: LicenseAddOn }) {
  const facts = factLine([piecesOf(row), row.files > 0 && `${row.files} ${row.files === 1 ? 'file' : 'files'} above`,
    row.opens_on !== null && row.refusal !== 'not_open' && `from ${formatDay(row.opens_on)}`,
    row.closes_on !== null && row.refusal !== 'over' && `until ${formatDay(row.closes_on)}`]);
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <strong>{row.name}</strong>{facts !== '' && <span>{facts}</span>}
        {row.reason !== null && <span>{row.reason}</span>}
        {row.terms_text !== '' && <span>{row.terms_text}</span>}
        {row.mandatory_program_text !== '' && <span>{spell`For your program: `}{row.mandatory_program_text}</span>}
      </span>
      <span className={styles.itemSide}>
        {row.refusal === null ? <Badge tone="ok">Yours</Badge> : <Badge tone="outline">Not now</Badge>}
      </span>
    </li>
  );
}

function Offered({ row, acting, onAsk }: { row: OfferedAddOn; acting: boolean; onAsk: () => void }) {
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <strong>{row.name}</strong>{row.description !== '' && <span>{row.description}</span>}<span>{priceOf(row)}</span>
      </span>
      <span className={styles.itemSide}>
        <Button onClick={onAsk} {...(acting && { reason: 'Its own people buy' })}>
          <span>Add<span className="gr-hidden"> {row.name}</span></span>
        </Button>
      </span>
    </li>
  );
}

type Preview = ResponseOf<typeof portalEndpoints.previewAmendment>['data'];
const COUNTED: readonly OfferedAddOn['pricing_model'][] = ['per_user', 'per_week'];

/** The price with its tax is shown before anything is sent; inside the rules it is the licence's at once. */
function AskForMore({ addOn, production, portal, onClose }: ProductionProps & {
  addOn: OfferedAddOn; onClose: () => void;
}) {
  const counted = COUNTED.includes(addOn.pricing_model);
  const [quantity, setQuantity] = useState<number | null>(1);
  const [note, setNote] = useState('');
  const [preview, setPreview] = useState<Preview | null>(null);
  const params = { id: portal.customerId, licenseId: production.id };
  const changes = { more_add_ons: [{ add_on_id: addOn.add_on_id, quantity: quantity ?? 1 }] };
  const check = useAction(portalEndpoints.previewAmendment, { onDone: ({ data }) => setPreview(data),
    onFailure: () => {} });
  const send = useAction(portalEndpoints.requestAmendment, {
    refresh: [portalLicenseAddOnEndpoints.list, portalEndpoints.license],
    done: ({ data }) => (data.status === 'applied' ? `${addOn.name} is yours`
      : 'We have your request and will answer soon'),
    onDone: onClose,
  });
  const wrong = check.failure?.fields['changes.more_add_ons.0.quantity']?.[0];
  return (
    <Card title={`Add ${addOn.name}`}>
      <div className={styles.stack}>
        {addOn.terms_text !== '' && <p>{addOn.terms_text}</p>}
        {counted && (
          <NumberField label={addOn.pricing_model === 'per_user' ? 'Number of people' : 'Number of weeks'} required
            value={quantity} onChange={(value) => { setQuantity(value); setPreview(null); }} error={wrong} />
        )}
        {check.failure && !wrong && <Callout tone="error" live title="It cannot be added now">
          {Object.values(check.failure.fields)[0]?.[0] ?? check.failure.message}</Callout>}
        {preview && (
          <div className={styles.tight} aria-live="polite">
            <Callout tone={preview.automatic ? 'ok' : 'info'}
              title={preview.automatic ? 'It is yours as soon as you send it.' : 'We look at it and answer soon.'}>
              {preview.automatic ? 'You sign the addendum and get an invoice for the difference.'
                : preview.why_we_look}
            </Callout>
            <PriceChange lines={preview.lines} currency={preview.currency} />
            <TextField label="Anything we should know?" rows={2} maxLength={2000} value={note} onChange={setNote} />
          </div>
        )}
        <div className={styles.actions}>
          {preview ? (
            <Button variant="primary" pending={send.pending} onClick={() => void send.run({ params,
              body: { changes, reason: note.trim() || `Add ${addOn.name}` } })}>Send request</Button>
          ) : (
            <Button variant="primary" pending={check.pending}
              {...((quantity ?? 0) < 1 && { reason: 'Enter how many first' })}
              onClick={() => void check.run({ params, body: { changes } })}>See price</Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Card>
  );
}
