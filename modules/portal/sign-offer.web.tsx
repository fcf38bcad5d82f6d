/**
 * Signing with typed name and title, or declining with a reason; an addendum is signed the same way. The hash of what
 * was read is sent along.
 */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { nameKey } from '#kernel/text/fold.ts';
import { DECLINE_REASONS } from '#modules/licensing/licenses/license.contract.ts';
import { portalEndpoints, type QuoteAnswer } from '#modules/licensing/portal/portal.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useAction, type Failure } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

type Reason = (typeof DECLINE_REASONS)[number];
const REASONS: Record<Reason, string> = {
  too_expensive: 'It costs too much', dates_changed: 'Our dates changed', other_show: 'We play something else',
  production_dropped: 'We do not produce it after all', terms: 'The terms do not suit us', other: 'Something else',
};

type Props = ProductionProps & { quote: QuoteAnswer };

function Decline({ open, onClose, quote, production, portal }: Props & { open: boolean; onClose: () => void }) {
  const [reason, setReason] = useState<Reason | ''>('');
  const [note, setNote] = useState('');
  const decline = useAction(portalEndpoints.decline, { done: 'You declined the offer', onDone: onClose });
  const submit = () => reason !== '' && void decline.run({
    params: { id: portal.customerId, licenseId: production.id },
    body: { offer_version: quote.offer_version, reason_code: reason, note },
  });
  return (
    <Modal open={open} onClose={onClose} title="Decline this offer?" footer={(
      <>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" pending={decline.pending} onClick={submit}
          {...(reason === '' && { reason: 'Choose a reason first' })}>Decline the offer</Button>
      </>
    )}>
      <div className={styles.stack}>
        <p className={styles.muted}>Your dates will be released.</p>
        <RadioGroup label="Why?" value={reason} onChange={(value) => setReason(value as Reason)}
          choices={DECLINE_REASONS.map((value) => ({ value, label: REASONS[value] }))} />
        <TextField label="Anything we should know" rows={3} maxLength={2000} value={note} onChange={setNote} />
      </div>
    </Modal>
  );
}

export function SignOffer(props: Props) {
  const { quote, production, portal } = props;
  const user = useCurrentUser();
  const [name, setName] = useState('');
  const [title, setTitle] = useState('');
  const [accept, setAccept] = useState(false);
  const [left, setLeft] = useState(false);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [declining, setDeclining] = useState(false);
  const adds = quote.addendum !== null;
  const sign = useAction(adds ? portalEndpoints.signAddendum : portalEndpoints.sign,
    { done: adds ? 'Signed. Thank you.' : spell`Signed. Your license follows.`, onFailure: () => undefined });
  const what = adds ? 'addendum' : 'offer';
  if (!portal.maySee) {
    return <p className={styles.muted}>{spell`An admin or signer of your organization signs this `}{what}.</p>;
  }
  const fields = sign.failure?.kind === 'fields' ? sign.failure.fields : {};
  const account = user ? `${user.first_name} ${user.last_name}` : '';
  // Only the name that was confirmed: whoever goes on typing is asked again.
  const differs = name.trim() !== '' && (fields.confirm_name !== undefined || nameKey(name) !== nameKey(account));
  const confirms = differs && confirmed === name.trim();
  const missing = portal.held ?? (name.trim() === '' ? 'Type your name first' : differs && !confirms
    ? `Your account is ${account}: correct the name or confirm it` : !accept ? 'Accept the terms first' : undefined);
  const submit = () => void sign.run({
    params: { id: portal.customerId, licenseId: production.id },
    body: { offer_version: quote.offer_version, hash: quote.hash, signer_name: name.trim(), signer_title: title.trim(),
      accept: true, ...(confirms && { confirm_name: true }) },
  });
  const { promise } = quote;
  const total = formatAmount(quote.totals.total_minor, quote.currency);
  const deposit = quote.totals.security_deposit_minor ?? 0;
  // If a percentage follows, no total is complete: show the amount asked for now, and the percentage.
  const price = [promise ? promise.headline : `${total} in all`,
    deposit > 0 ? `and a refundable deposit of ${formatAmount(deposit, quote.currency)}`
      : ''].filter(Boolean).join(', ');
  return (
    <form className={styles.stack} aria-label={`Sign the ${what}`} onSubmit={(event) => {
      event.preventDefault();
      if (!missing) submit();
    }}>
      {sign.failure && sign.failure.kind !== 'fields' && <Refusal failure={sign.failure} what={what} />}
      <TextField label="Your full name" required autoComplete="name" value={name} onChange={setName} maxLength={200}
        onBlur={() => setLeft(true)} placeholder={account} error={firstOf(fields.signer_name)}
        caption="Typing your name is your signature." />
      {differs && (left || confirms) && (
        <Checkbox label={confirmWords(name.trim(), account)} value={confirms} error={firstOf(fields.confirm_name)}
          onChange={(value) => setConfirmed(value ? name.trim() : null)} />
      )}
      <TextField label="Your title" value={title} onChange={setTitle} maxLength={200}
        placeholder="Producer" error={firstOf(fields.signer_title)} />
      <Checkbox label={adds ? spell`I have read the addendum and accept it for our organization: ${price}.`
        : spell`I have read the offer and its terms and accept them for our organization: ${price}.`}
        value={accept} onChange={setAccept} error={firstOf(fields.accept)} />
      <FirstPayments quote={quote} />
      <Fingerprint quote={quote} />
      <Button type="submit" variant="primary" size="large" wide pending={sign.pending}
        {...(missing && { reason: missing })}>
        {adds ? 'Sign the addendum' : signWords(quote, total)}
      </Button>
      {!adds && (
        <>
          <Button variant="quiet" onClick={() => setDeclining(true)} {...(portal.held && { reason: portal.held })}>
            Decline the offer</Button>
          <Decline {...props} open={declining} onClose={() => setDeclining(false)} />
        </>
      )}
    </form>
  );
}

function confirmWords(name: string, account: string): string {
  return spell`You are signing as ${name}; your account is ${account}. I am ${name} and have the right to sign for our
    organization.`;
}

/** 'Sign: GBP 500.00 now', 'Sign at 11% of gross', 'Sign for USD 1,641.40'. */
function signWords({ promise, currency }: QuoteAnswer, total: string): string {
  if (promise === null) return `Sign for ${total}`;
  return promise.now_minor > 0 ? `Sign: ${formatAmount(promise.now_minor, currency)} now` : `Sign at ${promise.rate}`;
}

/** 'To pay: USD 1,641.40 before issue, by January 14, 2027, so that …', as the contract says it. */
function FirstPayments({ quote }: { quote: QuoteAnswer }) {
  return quote.first_payments.map((one) => (
    <p key={one.label + one.text} className={styles.small}>{one.label}: {one.text}.</p>
  ));
}

/** The hash that the certificate of the signature will name. */
function Fingerprint({ quote }: { quote: QuoteAnswer }) {
  if (quote.document_sha256 === null) return null;
  return (
    <p className={styles.muted}>
      You sign version {quote.offer_version}. SHA-256 of the {quote.addendum ? 'addendum' : 'contract'}:{' '}
      <span className={styles.hash}>{quote.document_sha256}</span>
    </p>
  );
}

/** A refusal; where the offer changed meanwhile, what changed and the way to the current one. */
function Refusal({ failure, what }: { failure: Failure; what: string }) {
  const refresh = useRefresh([portalEndpoints.quote, portalEndpoints.license]);
  const { changes } = failure.facts;
  const lines = Array.isArray(changes) ? changes.filter((line) => typeof line === 'string') : [];
  return (
    <Callout tone="error" live title={failure.message} action={failure.kind === 'conflict'
      && <Button size="small" onClick={() => void refresh()}>Show the current {what}</Button>}>
      {lines.length > 0 && <ul className={styles.changes}>{lines.map((line) => <li key={line}>{line}</li>)}</ul>}
    </Callout>
  );
}

function firstOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}
