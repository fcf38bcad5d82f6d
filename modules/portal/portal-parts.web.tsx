/** Parts of every portal screen: current organization, head, tabs, loading states, price lines, trace. */
import { ArrowLeft } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { ApiError } from '#kit/client.ts';
import type { CustomerRole } from '#kit/auth.ts';
import type { PageMeta } from '#kit/endpoint.ts';
import { flatRows } from '#kernel/pricing/price-rows.ts';
import { spell } from '#kernel/text/english.ts';
import type { SharedMemo } from '#modules/licensing/memos/memo.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Trace } from '#web/data/trace.tsx';
import { useDocumentTitle } from '#web/layout/document-title.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PaperLine } from '#web/layout/paper-line.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { Tabs, type TabItem } from '#web/layout/tabs.tsx';
import { useOnPaper } from '#web/layout/use-on-paper.ts';
import { AppLink, useIdParam, useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import styles from './portal.module.css';

export interface Portal {
  customerId: number;
  /** '/customer/7' */
  base: string;
  /** null while a system administrator acts for the customer. */
  role: CustomerRole | null;
  /** Signs, pays, asks for changes: admin and signer of the organisation. */
  signs: boolean;
  /** A member reads and drafts only: such buttons are not shown at all. */
  maySee: boolean;
  /** Why money and signatures are held now; undefined where they are not. */
  held: string | undefined;
}

/** Rights of the person inside the customer of the address (domain.md 5; the server decides again). */
export function usePortal(): Portal {
  const customerId = useIdParam('customerId');
  const user = useCurrentUser();
  const role = (user?.customers.find((one) => one.id === customerId)?.role ?? null) as CustomerRole | null;
  const acting = user?.role === 'system_admin';
  const signs = role === 'admin' || role === 'signer';
  return {
    customerId, base: `/customer/${customerId}`, role: acting ? null : role, signs: signs && !acting,
    maySee: signs || acting,
    held: acting ? 'You are acting for this customer: only its own people sign, pay and decide' : undefined,
  };
}

/** Notes from us to the organization. */
export function Notes({ memos }: { memos: readonly SharedMemo[] }) {
  if (memos.length === 0) return null;
  return (
    <Card title="Notes from us">
      <ActivityTimeline items={memos.map(({ id, author_name: who, created_at: when, body: note }) =>
        ({ id, who, what: 'wrote', when, note }))} />
    </Card>
  );
}

export interface PortalHeadProps {
  title: string;
  back?: { href: string; text: string } | undefined;
  facts?: readonly ReactNode[] | undefined;
  badges?: ReactNode;
  tabs?: readonly TabItem[] | undefined;
  children?: ReactNode;
}

/** The head of a portal page: way back, serif title, one line of facts, its buttons; never sticky. */
export function PortalHead({ title, back, facts, badges, tabs, children }: PortalHeadProps) {
  useDocumentTitle(title);
  const shown = facts?.filter((fact) => fact !== null && fact !== undefined && fact !== '' && fact !== false) ?? [];
  return (
    <>
      <PaperLine />
      <header className={styles.head}>
        <div className={styles.headText}>
          {back && (
            <AppLink href={back.href} className={styles.crumb} data-print="hide">
              <Glyph icon={ArrowLeft} size={16} />{back.text}</AppLink>
          )}
          <h1 tabIndex={-1}>{title}{badges && <span className={styles.badges}>{badges}</span>}</h1>
          {shown.length > 0 && (
            <p className={styles.facts}>
              {shown.map((fact, index) => <span key={index}>{fact}</span>)}
            </p>
          )}
        </div>
        {children && <div className={styles.actions} data-page-actions data-print="hide">{children}</div>}
      </header>
      {tabs && <div className={styles.tabs} data-print="hide"><Tabs items={tabs} /></div>}
    </>
  );
}

/** Bars in the geometry of cards. */
export function CardsSkeleton({ cards = 2 }: { cards?: number }) {
  return (
    <div className={styles.stack} aria-busy="true">
      <span className="gr-hidden" role="status">Loading</span>
      {Array.from({ length: cards }, (_, index) => (
        <Card key={index}>
          <div className={styles.tight}>
            <Skeleton width={220} height={22} /><Skeleton width="86%" height={14} />
            <Skeleton width="72%" height={14} /><Skeleton width="78%" height={14} />
          </div>
        </Card>
      ))}
    </div>
  );
}

/** Cards that come with a part of their own, as high as they mostly are. */
export const WAITING = {
  readBefore: { title: 'Read it first', lines: [44, 46] },
  shop: { title: 'Books and merchandise', lines: [44, 44, 44] },
  cart: { title: 'Your cart', lines: [172] },
  addresses: { title: 'Shipping addresses', lines: [44, 46] },
} as const;

/** One card whose title is known, while what stands in it is fetched: its `lines` are bars of these heights, in px. */
export function CardSkeleton({ title, lines }: { title?: string | undefined; lines: readonly number[] }) {
  return (
    <div aria-busy="true">
      <Card {...(title !== undefined && { title })}><LinesSkeleton lines={lines} /></Card>
    </div>
  );
}

export function LinesSkeleton({ lines }: { lines: readonly number[] }) {
  return (
    <div className={styles.stack} aria-busy="true">
      {lines.map((height, index) => <Skeleton key={index} height={height} />)}
    </div>
  );
}

interface Read<T> { data: T | undefined; isError: boolean; error: ApiError | null; refetch: () => unknown }

/** Loading, refused, failed or there: `<Reading read={useEndpoint(...)}>{(answer) => ...}</Reading>`. */
export function QueryBoundary<T>({ read, cards, page, children }: {
  read: Read<T>; cards?: number; children: (answer: T) => ReactNode;
  /** Heading of the page where it has none before the answer is there. */
  page?: string;
}) {
  if (read.data !== undefined) return children(read.data);
  if (read.isError && read.error) {
    return (
      <>
        {page && <PortalHead title={page} />}
        <Card><LoadError error={read.error} onRetry={() => void read.refetch()} /></Card>
      </>
    );
  }
  return <CardsSkeleton {...(cards === undefined ? {} : { cards })} />;
}

export function LoadError({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  if (error.status === 403) {
    return <EmptyState role="alert" title="This is not open to you"
      text={spell`Your role in this organization does not include it. An admin of your organization can change
        that.`} />;
  }
  if (error.status === 404) {
    return <EmptyState role="alert" title="This is not here"
      text="It may have been withdrawn, or the link is wrong." />;
  }
  return <EmptyState role="alert" title="This could not be loaded" text={error.message}
    action={<Button onClick={onRetry}>Try again</Button>} />;
}

export function SectionHead({ title, note, right }: { title: string; note?: ReactNode; right?: ReactNode }) {
  return <div className={styles.sectionHead}><h2>{title}</h2>{note && <p>{note}</p>}{right}</div>;
}

export interface PricedRow {
  kind: string; label: string; quantity: number | null; unit_minor: number | null; amount_minor: number;
}
export interface PricedBlock { kind: string; label: string; rows: readonly PricedRow[] }
export interface PricedTotals {
  tax_minor?: number | undefined; security_deposit_minor?: number | undefined;
  on_account_deposit_minor?: number | undefined; total_minor?: number | undefined;
}
/** Terms that follow the takings, in the words of the papers. */
export interface Promised { headline: string; rate: string; now_minor: number;
  facts: readonly { label: string; text: string }[] }

function sumInWords(row: PricedRow): string {
  if (row.unit_minor === null || row.quantity === null || row.quantity < 2) return '';
  const what = row.kind === 'performances' ? ' performances' : '';
  return `${formatAmount(row.unit_minor)} × ${row.quantity.toLocaleString('en-US')}${what}`;
}

/**
 * "Price" as rows that add up to the total under the rule, the sum of each in small print (LOOK.md 9). A
 * deposit that is given back stands below the total and is no part of it; a percentage stands with the total.
 */
export function PriceLines({ rows, totals, currency, promise }: {
  rows: readonly PricedBlock[]; totals: PricedTotals; currency: string; promise?: Promised | null | undefined;
}) {
  const deposit = totals.security_deposit_minor ?? 0;
  const onAccount = totals.on_account_deposit_minor ?? 0;
  return (
    <table className={styles.lines}>
      <caption className="gr-hidden">Price in {currency}</caption>
      <tbody>
        {flatRows(rows, Boolean(promise)).map((row, index) => (
          <tr key={`${index}${row.label}`}>
            <th scope="row">{row.label}{sumInWords(row) && <small>{sumInWords(row)}</small>}</th>
            <td><Money minor={row.amount_minor} /></td>
          </tr>
        ))}
        {totals.tax_minor ? (
          <tr><th scope="row">{currency === 'USD' ? 'Sales tax' : 'VAT'}</th><td><Money minor={totals.tax_minor} /></td>
          </tr>
        ) : null}
      </tbody>
      <tfoot>
        <tr><th scope="row">{promise ? 'Guaranteed' : 'Total'}<small>{promise ? `${currency}, plus ${promise.rate}`
          : currency}</small></th>
          <td><Money minor={totals.total_minor} /></td></tr>
        {onAccount > 0 && <Beside label="of which deposit" note="paid first" minor={onAccount} />}
        {deposit > 0 && <Beside label="Refundable deposit" note="separate; refunded after returns" minor={deposit} />}
      </tfoot>
    </table>
  );
}

function Beside({ label, note, minor }: { label: string; note: string; minor: number }) {
  return (
    <tr className={styles.ofWhich}>
      <th scope="row">{label}<small>{note}</small></th><td><Money minor={minor} /></td>
    </tr>
  );
}

/** The percentage and what belongs to it: of what, at least what, what now, when it is reported and paid,
  an example. */
export function PromiseFacts({ promise }: { promise: Promised | null | undefined }) {
  if (!promise) return null;
  return (
    <dl className={styles.promise}>
      {promise.facts.map((fact) => <div key={fact.label}><dt>{fact.label}</dt><dd>{fact.text}</dd></div>)}
    </dl>
  );
}

/** "How this was calculated", folded until asked for. */
export function Explained({ steps, note }: {
  steps: readonly { label: string; formula: string; result_minor: number }[]; note?: string;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  useOnPaper(() => setOpen(true));
  if (steps.length === 0) return null;
  return (
    <div className={styles.tight}>
      <div className={styles.unindent}>
        <Button variant="quiet" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          How this was calculated
        </Button>
      </div>
      <div id={id} hidden={!open}>
        <Trace heading={false} note={note} steps={steps.map((step) => ({
          title: step.label, minor: step.result_minor, lines: step.formula ? [{ text: step.formula }] : [],
        }))} />
      </div>
    </div>
  );
}

/** 'Invoice INV-US-2026-000011': where room is lacking the number has a line of its own and is not torn. */
export function Numbered({ kind, number }: { kind: string; number: string | null }) {
  return <span>{kind}{number && <> <span className={styles.number}>{number}</span></>}</span>;
}

/** Under a list that goes on: which part is shown, the pages before and after; kept in the address as `page`. */
export function Pager({ meta }: { meta: Omit<PageMeta, 'path' | 'total_is_exact'> }) {
  const { set } = useQueryValues();
  if (meta.last_page <= 1) return null;
  const go = (page: number) => () => set({ page: page === 1 ? null : String(page) }, { push: true });
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span className={styles.small}>{meta.from} to {meta.to} of {meta.total.toLocaleString('en-US')}</span>
      <span className={styles.row}>
        <Button onClick={go(meta.current_page - 1)} {...(meta.current_page <= 1
          && { reason: 'This is the first page' })}>
          Previous</Button>
        <Button onClick={go(meta.current_page + 1)}
          {...(meta.current_page >= meta.last_page && { reason: 'This is the last page' })}>Next</Button>
      </span>
    </nav>
  );
}

/** One below the other: in a run of them nights and their hours are torn apart. */
export function Lines({ texts }: { texts: readonly string[] }) {
  return (
    <span className={styles.onePerLine}>{texts.map((text, at) => <span key={`${at} ${text}`}>{text}</span>)}</span>
  );
}
