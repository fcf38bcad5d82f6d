/** Rate cards of a show in plain words: drafts to approve, what is in force, what came before; hire packages below. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { newestRow } from '#web/query/newest-row.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CARD_STATUS, CATEGORY_LABELS, POLICY_LABELS } from '../catalogue-labels.web.ts';
import styles from '../catalogue.module.css';
import { EntriesWaiting } from '../entries-waiting.web.tsx';
import { Packages, usePackages } from '../package/packages.web.tsx';
import type { ShowRow } from '../show/show.contract.ts';
import { ShowFrame } from '../show/show-frame.web.tsx';
import { rateCardEndpoints, type RateCardRow } from './rate-card.contract.ts';
import { RateCardForm } from './rate-card-form.web.tsx';

export default function RateCards() {
  return <ShowFrame>{(show) => <CardsOf show={show} />}</ShowFrame>;
}

interface Editing { card: RateCardRow | null; copyOf: RateCardRow | null }

function CardsOf({ show }: { show: ShowRow }) {
  const may = useMay();
  const [editing, setEditing] = useState<Editing | null>(null);
  const refresh = useRefresh([rateCardEndpoints.list]);
  const read = useEndpoint(rateCardEndpoints.list, { query: { show_id: show.id, per_page: 100 } });
  const packages = usePackages(show);
  const [on] = useState(today);
  const cards = read.data?.data;
  const inForce = (card: RateCardRow) => card.status === 'approved' && (card.effective_to ?? on) >= on;
  const groups = [
    { title: 'Waiting for approval', cards: cards?.filter((card) => card.status === 'draft') },
    { title: 'In force', cards: cards?.filter(inForce) },
    { title: 'Before', cards: cards?.filter((card) => card.status !== 'draft' && !inForce(card)) },
  ];
  return (
    <PageContent record title="Rate cards"
      description={spell`The most specific card in force on the first performance prices a license.`}
      right={may('show.update') && (
        <Button variant="primary" onClick={() => setEditing({ card: null, copyOf: null })}>New rate card</Button>
      )}>
      {read.isError && !cards && <NotLoaded title="The rate cards could not be loaded" read={read} />}
      {read.isPending && <EntriesWaiting entries={3} />}
      {cards?.length === 0 && (
        <EmptyState title="No rate card yet" text="Without a card of its own, the house's card prices this title." />
      )}
      {groups.filter((group) => group.cards && group.cards.length > 0).map((group) => (
        <Section key={group.title} title={group.title} count={group.cards!.length}>
          <ul className={styles.entries}>
            {group.cards!.map((card) => <Entry key={card.id} card={card} onEdit={setEditing} />)}
          </ul>
        </Section>
      ))}
      {/* Packages that stood there first would be pushed down by the cards. */}
      {!read.isPending && <Packages show={show} read={packages} />}
      <Modal open={editing !== null} onClose={() => setEditing(null)} width={760}
        title={editing?.card ? 'Change the draft' : 'New rate card'}>
        {editing && (
          <RateCardForm showId={show.id} {...editing}
            card={editing.card && newestRow(editing.card, read.data?.data)}
            onSaved={() => {
              setEditing(null);
              void refresh();
              toast('Draft saved: another person approves it');
            }} />
        )}
      </Modal>
    </PageContent>
  );
}

function Entry({ card, onEdit }: { card: RateCardRow; onEdit: (editing: Editing) => void }) {
  const status = CARD_STATUS[card.status]!;
  const [first, ...more] = card.in_words;
  const facts = [
    `Executed when: ${POLICY_LABELS[card.execution_policy].toLowerCase()}`,
    card.deposit_minor > 0 && `${card.deposit_kind === 'security' ? 'Security deposit' : 'On account'} ${
      formatAmount(card.deposit_minor, card.currency)}`,
    card.package_name && `Rental: ${card.package_name}`,
    card.approved_by_name ? `Approved by ${card.approved_by_name}`
      : card.author_name && `Written by ${card.author_name}`,
  ].filter(Boolean);
  return (
    <li className={styles.entry}>
      <div className={styles.entryMain}>
        <div className={styles.entryHead}>
          <Badge tone={status.tone} small>{status.label}</Badge>
          <span>{[CATEGORY_LABELS[card.category], DIVISION_LABELS[card.division], card.currency,
            card.classification_name, card.name].filter(Boolean).join(' · ')}</span>
          <span>
            {`from ${formatDay(card.effective_from)}`}{card.effective_to && ` to ${formatDay(card.effective_to)}`}
          </span>
        </div>
        <p className={styles.entryTitle}>{first}</p>
        {more.length > 0 && <p className={styles.entryText}>{more.join(' ')}</p>}
        <p className={styles.entryText}>{facts.join(' · ')}</p>
        {card.notes && <p className={styles.entryText}>{card.notes}</p>}
        {card.status === 'draft' && (
          <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="rate_card" askedBy={card.author_name}
            askedById={card.author_id} declined={card.declined} />)}
      </div>
      <Actions card={card} onEdit={onEdit} />
    </li>
  );
}

function Actions({ card, onEdit }: { card: RateCardRow; onEdit: (editing: Editing) => void }) {
  const may = useMay();
  const user = useCurrentUser();
  const [deleting, setDeleting] = useState(false);
  const approve = useAction(rateCardEndpoints.approve, { refresh: [approvalEndpoints.list],
    done: 'Approved: it sets prices from its first day' });
  const remove = useAction(rateCardEndpoints.remove, { done: 'Draft deleted' });
  if (!may('show.update')) return null;
  if (card.status !== 'draft') {
    return (
      <div className={styles.entryActions}>
        <Button size="small" onClick={() => onEdit({ card: null, copyOf: card })}>Draft successor</Button>
      </div>
    );
  }
  const own = user !== null && user?.id === card.author_id;
  return (
    <div className={styles.entryActions}>
      <Button size="small" variant="quiet" onClick={() => setDeleting(true)}>Delete</Button>
      <Button size="small" onClick={() => onEdit({ card, copyOf: null })}>Change</Button>
      {card.declined === null && (
        <DeclineButton endpoint={rateCardEndpoints.decline} params={{ id: card.id }} body={{ version: card.version }}
          title="Rate card" reason={own ? 'You wrote it. Someone else must approve it.' : undefined}
          refresh={[approvalEndpoints.list]}
          text="It stays a draft; changing it asks for approval again. The person who wrote it sees the reason." />)}
      <Button size="small" variant="secondary" pending={approve.pending}
        reason={own ? 'You wrote it. Someone else must approve it.' : undefined}
        onClick={() => void approve.run({ params: { id: card.id }, body: { version: card.version } })}>Approve</Button>
      <ConfirmDialog open={deleting} danger title="Delete this draft?" confirm="Delete draft"
        text="Nothing was priced with it." onCancel={() => setDeleting(false)}
        onConfirm={() => { setDeleting(false); void remove.run({ params: { id: card.id } }); }} />
    </div>
  );
}
