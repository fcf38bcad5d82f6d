/** The living gallery: every component of the kit in every state, looked at in light and dark and checked by axe. */
import { Bell, Calculator, CalendarDays, GitBranch, Package, Pencil, Plus, Printer, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ControlsGallery } from '#web/controls/controls.gallery.tsx';
import { Badge, PHASES, PhaseBadge, type Tone } from '#web/data/badge.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Avatar, AVATAR_SIZES, type AvatarSize } from '#web/data/avatar.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText, Keys } from '#web/data/code-text.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { ActivityLog } from '#web/data/activity-log.tsx';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Money } from '#web/data/money.tsx';
import { toast, undoable } from '#web/data/toast.tsx';
import { Trace, TraceIcon } from '#web/data/trace.tsx';
import { HelpButton, lazyHelp } from '#web/help/help-button.tsx';
import { CountedButton } from '#web/layout/counted-button.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Drawer, Modal } from '#web/layout/overlay.tsx';
import { Columns, PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { Card, Ticket } from '#web/layout/portal-shell.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { Stepper } from '#web/layout/stepper.tsx';
import { HeldRows, Lists, TableStates } from './lists.gallery.tsx';
import { Conversation } from './messages.gallery.tsx';
import { Peek } from './peek.gallery.tsx';
import {
  accountColumns, sampleAccounts, sampleActivity, sampleAges, sampleSteps, sampleTickets, sampleWeeks, ticketColumns,
} from './samples.ts';
import {
  Decisions, FirstAddress, ManyRows, Palette, Paper, Places, Problems, RefusedForm, Sealed, UnderWay,
} from './states.gallery.tsx';
import { TrashGallery } from './trash.gallery.tsx';
import styles from './gallery.module.css';

const TwinBars = lazy(() => import('#web/charts/twin-bars.tsx').then((file) => ({ default: file.TwinBars })));
const AgeBar = lazy(() => import('#web/charts/age-bar.tsx').then((file) => ({ default: file.AgeBar })));

const SampleHelp = lazyHelp(() => Promise.resolve({ started: ['way', 'offset-account'], articles: [
  { id: 'way', title: 'Find your way around', pages: ['/gallery'], body: ['Every component stands here.'] },
  { id: 'offset-account', title: 'Offset Account', body: ['The account on the other side of a transaction.'] },
] }));

const TONES: readonly Tone[] = ['neutral', 'info', 'brass', 'ok', 'garnet', 'violet', 'warn', 'error', 'outline'];
const STEPS = [
  { label: 'Draft', note: 'Sep 28', state: 'past' }, { label: 'Offer sent', note: 'Oct 2', state: 'past' },
  { label: 'Accepted', note: 'Oct 19', state: 'past' }, { label: 'Licensed', note: 'Nov 12', state: 'current' },
  { label: 'In production', note: 'Feb 11, 2027', state: 'future' },
  { label: 'Settlement', note: 'Feb 15, 2027', state: 'future' },
  { label: 'Closed', note: 'about Apr 5', state: 'future' },
] as const;

function Charts() {
  return (
    <Suspense fallback={null}>
      <TwinBars currency="USD" bars={sampleWeeks} upper={{ label: 'Box office reported', note: '+3.0% yoy' }}
        lower={{ label: 'Royalties earned', note: '11.2% of gross' }} />
      <hr className={styles.rule} />
      <AgeBar label="Receivables by age" currency="USD" buckets={sampleAges} total={95} />
    </Suspense>
  );
}

function Signs() {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.stack}>
      <div className={styles.row}>{Object.keys(PHASES).map((phase) => <PhaseBadge key={phase} phase={phase} />)}</div>
      <div className={styles.row}>{TONES.map((tone) => <Badge key={tone} tone={tone}>{tone}</Badge>)}</div>
      <div className={styles.row}>
        {Object.keys(AVATAR_SIZES).map((size) => <Avatar key={size} name="Eleanor Marsh" size={size as AvatarSize} />)}
        <Avatar name="Jo Tan" /><Avatar name="Priya Nair" />
      </div>
      <div className={styles.row}>
        <Money minor={784493} currency="USD" /><Money minor={-25000} /><Money minor={0} />
        <Money minor={120000} strong />
        <DateText value="2027-02-11" style="weekday" /><DateText value="2026-11-12T19:05:00Z" />
        <CodeText>L-US-2026-000481</CodeText><Keys keys={['G', 'L']} />
      </div>
      <div className={styles.row}>
        <Button variant="primary" icon={<Glyph icon={Plus} />}>New quote</Button><Button>Secondary</Button>
        <Button variant="quiet">Quiet</Button><Button variant="danger">Void</Button>
        <Button variant="primary" pending>Saving</Button><Button reason="The period is closed">Post</Button>
        <ActionMenu actions={[{ label: 'Edit', icon: Pencil },
          { label: 'Print', icon: Printer, reason: 'Nothing to print yet' },
          { label: 'Move to trash', icon: Trash2, danger: true, divided: true }]} />
        <Button onClick={() => undoable('Venue moved to trash', () => Promise.resolve())}>Toast with Undo</Button>
        <Button onClick={() => toast('Network Error', { tone: 'error' })}>Error toast</Button>
        <HelpButton panel={SampleHelp} />
        <CountedButton words="Notifications, 12 unread" icon={Bell} count={12} open={open} ref={null}
          onToggle={() => setOpen(!open)} />
      </div>
    </div>
  );
}

function Notes() {
  return (
    <div className={styles.stack}>
      <Callout tone="info" title="Opened 3 times, not signed">Last seen yesterday 21:14 by Dana Whitlock.</Callout>
      <Callout tone="ok">All four nights are free. We can hold them for six weeks once you apply.</Callout>
      <Callout tone="warn" title="W-8BEN ran out on Dec 31, 2025" action={<a href="/gallery">Ask for a new form</a>}>
        With the 10% treaty rate the payment would be 6,044.21, that is 1,511.05 more.
      </Callout>
      <Callout tone="error" title="Box office overdue">Harbor Light Theatre, 3 days late.</Callout>
    </div>
  );
}

function Record() {
  return (
    <>
      <StatStrip label="Price of the licence" stats={[
        { label: 'Royalty', value: '5,970.00' }, { label: 'Rental', value: '820.00', sign: '+' },
        { label: 'Add-ons', value: '475.00', sign: '+' }, { label: 'Shipping', value: '65.00', sign: '+' },
        { label: 'Tax', value: '114.93', sign: '+' }, { label: 'Deposit', value: '400.00', sign: '+' },
        { label: 'Total USD', value: '7,844.93', sign: '=', strong: true },
      ]} />
      <Section title="Ticketing" count={3} right="Times in New York">
        <DataTable label="Ticket prices" variant="record" columns={ticketColumns} rows={sampleTickets}
          rowKey={(row) => row.kind} totalLabel="3 prices" />
      </Section>
      <Section title="Facts">
        <KeyValue facts={[{ label: 'Customer', value: <a href="/gallery">Astoria Community Players</a> },
          { label: 'Category', value: 'Amateur, full orchestration' },
          { label: 'Opening', value: <DateText value="2027-02-11" /> },
          { label: 'Venue', value: 'Ravenswood Playhouse, 400 seats' }, { label: 'Curtain', value: '7:30 PM' }]} />
      </Section>
      <Section title="Activity">
        <ActivityLog page={1} onPage={() => undefined} read={sampleActivity} />
        <ActivityTimeline items={[{ id: 3, who: 'Marta Reyes', what: 'wrote', when: '2026-11-09T14:12:00Z',
          note: 'Could the matinee start at two?' }]} />
      </Section>
    </>
  );
}

function Portal() {
  return (
    <div data-density="portal" className={styles.portal}>
      <Ticket badge={<Badge tone="outline">Licensed</Badge>} note="You may announce and sell tickets"
        title="The Pirates of Penzance" text="Ravenswood Playhouse, Feb 11 to 14, 2027, six performances" figure="83"
        caption="days to opening" />
      <div className={styles.cards}>
        <Card first title="Confirm your cast size" right={<Badge tone="warn">By Tue, Nov 24</Badge>}>
          <p>You told us 28. Scripts are counted per actor.</p>
        </Card>
        <Card title="Upload your programme" right="By Jan 21"><p>We check the billing sizes.</p></Card>
      </div>
      <Stepper variant="numbers" label="Application" onSelect={() => undefined} steps={[
        { label: 'Show', state: 'past' }, { label: 'Seats', state: 'unfinished' }, { label: 'Dates', state: 'current' },
        { label: 'Review', state: 'future' }]} />
    </div>
  );
}

function Head({ onAmend, onTrace }: { onAmend: () => void; onTrace: () => void }) {
  return (
    <PageHeader title="The Pirates of Penzance" back="/gallery" division
      subtitle={[
        <CodeText key="code">L-US-2026-000481</CodeText>, <a key="who" href="/gallery">Astoria Community Players</a>,
        'Amateur, full orchestration', 'Opens in 83 days',
      ]}
      badges={(
        <>
          <PhaseBadge phase="licensed" /><Badge tone="brass" icon={CalendarDays}>90 Days</Badge>
          <Badge tone="outline">Version 3</Badge>
        </>
      )}
      stepper={<Stepper steps={STEPS} />}
      tabs={[
        { id: 'components', text: 'Components', href: '/gallery' },
        { id: 'materials', text: 'Materials', href: '/gallery?tab=materials', error: true, note: '2 short' },
        { id: 'invoices', text: 'Invoices', href: '/gallery?tab=invoices', note: 2 },
      ]}>
      <ActionMenu actions={[{ label: 'Print', icon: Printer, onSelect: () => window.print() }]} />
      <Button icon={<Glyph icon={GitBranch} />} onClick={onAmend}>Amend</Button>
      <Button variant="primary" icon={<Glyph icon={Package} />} onClick={onTrace}>Release materials</Button>
    </PageHeader>
  );
}

export default function Gallery() {
  const [trace, setTrace] = useState(() => window.innerWidth > 1100);
  const [modal, setModal] = useState(false);
  const closeModal = () => setModal(false);
  return (
    <>
      <Head onAmend={() => setModal(true)} onTrace={() => setTrace(true)} />
      <Columns side={(
        <Drawer open={trace} onClose={() => setTrace(false)} icon={<TraceIcon />} title="How this was calculated">
          <Trace heading={false} steps={sampleSteps} total={{ minor: 784493, currency: 'USD' }}
            note="Stored with version 3 on Oct 2, 2026. The customer sees the same steps." />
        </Drawer>
      )}>
        <PageContent record fullWidth><Record /></PageContent>
        <Section title="Marks"><Signs /></Section>
        <Section title="Notes"><Notes /></Section>
        <Section title="Charts"><Charts /></Section>
        <Section title="List" flush><Lists /></Section>
        <Section title="Ledger" flush>
          <DataTable label="Trial balance" variant="ledger" columns={accountColumns} rows={sampleAccounts}
            rowKey={(row) => row.number} totalLabel="Total" caption="USD, negative in parentheses" />
        </Section>
        <Section title="States of a list" flush><TableStates /></Section>
        <Section title="Palette"><Palette /></Section>
        <Section title="Under way"><UnderWay /></Section>
        <Section title="A row beside its list"><Peek /></Section>
        <Section title="Many rows at once"><ManyRows /></Section>
        <Sealed />
        <Section title="Decisions of a second person"><Decisions /></Section>
        <Section title="Trash"><TrashGallery /></Section>
        <Section title="Places"><Places /></Section>
        <Section title="A PDF beside its record"><Paper /></Section>
        <Section title="Records that cannot be shown"><Problems /></Section>
        <Section title="Portal"><Portal /></Section>
        <Section title="Controls"><ControlsGallery /></Section>
        <RefusedForm />
        <FirstAddress />
        <Section title="A conversation"><Conversation /></Section>
        <Section title="Ten thousand rows held by the browser"><HeldRows /></Section>
      </Columns>
      <Modal open={modal} onClose={closeModal} title="Amend the licence" footer={(
        <>
          <Button onClick={closeModal}>Cancel</Button>
          <Button variant="primary" icon={<Glyph icon={Calculator} />} onClick={closeModal}>Price the amendment</Button>
        </>
      )}>
        <p>A change makes a new version and a difference to pay or to give back.</p>
      </Modal>
    </>
  );
}
