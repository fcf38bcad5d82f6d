/** On the page of a show: reading it before applying, on the screen or as a book. */
import { useState, type FormEvent } from 'react';
import { spell } from '#kernel/text/english.ts';
import { portalPerusalEndpoints, type PerusalOptions } from '#modules/stock/perusal/perusal.contract.ts';
import { chosenOf, feeOf, PerusalChoice, startOf, type Choice } from '#modules/stock/perusal/perusal-choice.web.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { CardSkeleton, usePortal, WAITING } from './portal-parts.web.tsx';
import styles from './portal.module.css';

export function ReadBefore({ showId, title }: { showId: number; title: string }) {
  const { customerId, base } = usePortal();
  const [asking, setAsking] = useState(false);
  const read = useEndpoint(portalPerusalEndpoints.options, { params: { id: customerId, showId } });
  const options = read.data?.data;
  if (read.isPending) return <CardSkeleton {...WAITING.readBefore} />;
  // Nothing to show if nothing is lent.
  if (!options || (!startOf(options) && options.open_id === null)) return null;
  return (
    <Card title="Read it first">
      <div className={styles.stack}>
        <p className={styles.prose}>{words(options)}</p>
        {options.open_id !== null
          ? (
            <div className={styles.actions}>
              <ButtonLink href={`${base}/perusals/${options.open_id}`}>Your perusal</ButtonLink>
            </div>
          )
          : (
            <div className={styles.actions}>
              <Button onClick={() => setAsking(true)} reason={options.left === 0
                ? whyNot(options) : undefined}>Ask to read it</Button>
            </div>
          )}
      </div>
      {asking && <AskDialog showId={showId} title={title} options={options} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function words(options: PerusalOptions): string {
  if (options.open_id !== null) return 'You have requested this title. See its status in your perusals.';
  const ways = [options.digital.length > 0 && `on the screen for ${options.days_digital} days, for nothing`,
    options.physical.length > 0 && `as a book by post for ${options.days_physical} days, ${options.fee_minor === 0
      ? 'for the shipping' : 'for a small fee'}`];
  return `Before you apply you can read it ${ways.filter(Boolean).join(', or ')}.`;
}

function whyNot({ most_open: most }: PerusalOptions): string {
  if (most === 0) return spell`Your organization reads on request only: write to us`;
  return most === 1 ? 'One perusal is open; it has to end first' : `${most} perusals are open; one has to end first`;
}

interface AskProps { showId: number; title: string; options: PerusalOptions; onClose: () => void }

function AskDialog({ showId, title, options, onClose }: AskProps) {
  const { customerId, base, role } = usePortal();
  const { go } = useNavigation();
  const [choice, setChoice] = useState<Choice>(startOf(options) ?? { format: 'digital', without: [] });
  const [message, setMessage] = useState('');
  const ask = useAction(portalPerusalEndpoints.create, { onFailure: () => {},
    onDone: ({ data }) => { toast('We have your request and will answer soon'); go(`${base}/perusals/${data.id}`); } });
  const materials = chosenOf(options, choice);
  const fee = feeOf(options, choice);
  const reason = materials.length === 0 ? 'Choose what to read'
    : choice.format === 'physical' && role === 'member' ? spell`An admin or signer of your organization asks for books`
      : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason) return;
    void ask.run({ params: { id: customerId }, body: { show_id: showId, format: choice.format, material_ids: materials,
      message } });
  };
  return (
    <Modal open onClose={onClose} title={`Read ${title}`}>
      <form onSubmit={submit} noValidate aria-label={`Read ${title}`} className={styles.stack}>
        <PerusalChoice options={options} choice={choice} onChange={setChoice} />
        {fee > 0 && (
          <p className={styles.muted}>
            {formatAmount(fee, options.currency)} plus tax, billed when the book leaves. It is to come back in the state
            in which it came.
          </p>
        )}
        <TextField label="Anything we should know?" rows={3} value={message} onChange={setMessage} maxLength={1000}
          error={ask.failure?.fields.message?.[0]} placeholder="Your plans and dates" />
        {ask.failure && (
          <Callout tone="error" live title="This was not asked for">{ask.failure.message}</Callout>
        )}
        <FormActions>
          <Button type="submit" variant="primary" pending={ask.pending} {...(reason && { reason })}>
            Ask to read it
          </Button>
        </FormActions>
      </form>
    </Modal>
  );
}
