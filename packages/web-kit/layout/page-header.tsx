/**
 * The head of a screen (SPEC.md 2, LOOK.md 4): Back, title, badges, division, actions; the line of facts; stepper;
 * tabs. Sticks 75 px below the top. One per screen: it holds the h1, names the browser tab and takes the focus after
 * a change of address.
 */
import { ArrowLeft, ChevronsUpDown, History } from 'lucide-react';
import { lazy, Suspense, useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { IconButton } from '#web/controls/button/button.tsx';
import type { RecordName } from '#web/data/record-activity.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { AppLink, useAddress, useNavigation } from '#web/navigation/navigation.tsx';
import { tellTitle } from '#web/palette/recent.ts';
import {
  DIVISIONS, DIVISION_CURRENCY, divisionLabel, readDivision, useDivision, useKnownDivision,
} from './division.ts';
import { useTellTrail, type Crumb } from './crumb-trail.ts';
import { useDocumentTitle } from './document-title.ts';
import { Glyph } from './icons.tsx';
import { PaperLine } from './paper-line.tsx';
import { Tabs, type TabItem } from './tabs.tsx';
import styles from './page-header.module.css';

const RecordActivity = lazy(() => import('#web/data/record-activity.tsx'));

export interface PageHeaderProps {
  title: string;
  /** Breadcrumb of the record above the screen, if not its title; its parent comes first. */
  crumbs?: readonly Crumb[] | undefined;
  /** Facts under the title, separated by middle dots: codes (CodeText), a customer's link, an owner. */
  subtitle?: ReactNode | readonly ReactNode[] | undefined;
  /** Loading state of the data behind facts and actions: skeletons of their size; 'facts': no action will come. */
  waiting?: boolean | 'facts' | undefined;
  /** Phase first, then derived time, then plain facts; at most three. */
  badges?: ReactNode;
  /** `true`: one step back in history; a text: that address. Absent: no Back button. */
  back?: boolean | string | undefined;
  /** Secondary buttons, then the one primary at the far right. */
  children?: ReactNode;
  tabs?: readonly TabItem[] | undefined;
  tabsAfter?: ReactNode;
  /** Shows the division selector, kept in the address as `division`. */
  division?: boolean | undefined;
  /** Phase stepper between facts and tabs. */
  stepper?: ReactNode;
  /** The record that the screen is about: its Activity opens beside it. Only for the office. */
  activity?: RecordName | undefined;
  /** Indents title and tabs to the record edge (64) even without Back. */
  record?: boolean | undefined;
}

/** US, EU, UK, Production; choosing one replaces the history entry. */
export function DivisionSelect() {
  const [division, choose] = useDivision();
  useKnownDivision();
  const id = useId();
  return (
    <span className={styles.division}>
      <label htmlFor={id}>Division</label>
      <select id={id} value={division} onChange={(event) => choose(readDivision(event.target.value))}>
        {DIVISIONS.map((value) => (
          <option key={value} value={value}>{divisionLabel(value)}</option>
        ))}
      </select>
      <span className={styles.divisionShown} aria-hidden="true">
        {divisionLabel(division)} · {DIVISION_CURRENCY[division]}
      </span>
      <Glyph icon={ChevronsUpDown} size={14} />
    </span>
  );
}

/** The selector is no word of a print. */
function DivisionOnPaper() {
  const [division] = useDivision();
  return <p className={styles.onPaper} data-print="only">Division {divisionLabel(division)}</p>;
}

function BackButton({ back }: { back: boolean | string }) {
  const { back: goBack } = useNavigation();
  const icon = <Glyph icon={ArrowLeft} size={18} />;
  if (typeof back === 'string') {
    return <AppLink href={back} className={styles.back} aria-label="Back" title="Back">{icon}</AppLink>;
  }
  return <button type="button" className={styles.back} aria-label="Back" title="Back" onClick={goBack}>{icon}</button>;
}

function Facts({ subtitle }: { subtitle: ReactNode | readonly ReactNode[] }) {
  const facts = (Array.isArray(subtitle) ? subtitle : [subtitle])
    .filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '');
  if (facts.length === 0) return null;
  return (
    <p className={styles.facts}>
      {facts.map((fact, index) => <span key={index} className={styles.fact}>{fact as ReactNode}</span>)}
    </p>
  );
}

/** Actions have a line of their own on a phone alone; beside a title they push nothing. `actions`: some may come. */
function FactsWaiting({ actions }: { actions: boolean }) {
  return (
    <>
      {actions && <span className={styles.actionsWaiting}><Skeleton height={40} /></span>}
      <p className={styles.factsWaiting}><Skeleton width={200} height={19} /></p>
    </>
  );
}

/** Tells the page how high the sticky head is, so that a focused element is never hidden behind it (WCAG 2.4.11). */
function useHeaderHeight() {
  const head = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = head.current;
    if (!element) return undefined;
    const root = document.documentElement;
    const measure = () => root.style.setProperty('--gr-header-height', `${element.offsetHeight}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
      root.style.removeProperty('--gr-header-height');
    };
  }, []);
  return head;
}

/** Opens the activity of the record, which is read on request. */
function ActivityButton({ record }: { record: RecordName }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Activity" icon={<Glyph icon={History} size={17} />} className={styles.activity}
        aria-expanded={open} onClick={() => setOpen(!open)} />
      {open && <Suspense fallback={null}><RecordActivity record={record} onClose={() => setOpen(false)} /></Suspense>}
    </>
  );
}

/** A number such as INV-US-2026-000030 may break at its hyphens: in a title it goes to the next line whole. */
function wholeNumbers(title: string): ReactNode {
  const words = title.split(/(\S*\d-\S*|\S*-\d\S*)/);
  // oxlint-disable-next-line no-array-index-key -- a word has no identity but its place
  return words.length === 1 ? title : words.map((word, k) => (k % 2 === 1 ? <span key={k}>{word}</span> : word));
}

export function PageHeader(props: PageHeaderProps) {
  const { title, subtitle, badges, back, children, tabs, tabsAfter, division, stepper, activity, record } = props;
  const actions = Boolean(division || children || activity);
  const head = useHeaderHeight();
  const { path } = useAddress();
  useTellTrail(path, props.crumbs ?? [{ label: title }]);
  useDocumentTitle(title);
  useEffect(() => tellTitle(title), [title]);
  return (
    <header className={styles.header} ref={head} data-record={record || back || undefined}
      data-tabs={tabs || undefined} aria-busy={Boolean(props.waiting) || undefined}>
      <PaperLine />
      <div className={styles.line}>
        {back && <BackButton back={back} />}
        <div className={styles.titles}>
          <h1 tabIndex={-1} className={styles.title}>{wholeNumbers(title)}</h1>
          {badges && <span className={styles.badges}>{badges}</span>}
        </div>
        {actions && (
          <div className={styles.actions} data-print="hide" data-page-actions>
            {division && <DivisionSelect />}
            {activity && <ActivityButton record={activity} />}
            {children}
          </div>
        )}
      </div>
      {props.waiting ? <FactsWaiting actions={!actions && props.waiting !== 'facts'} /> : <Facts subtitle={subtitle} />}
      {division && <DivisionOnPaper />}
      {stepper && <div className={styles.stepper}>{stepper}</div>}
      {tabs && tabs.length > 0 && (
        <div className={styles.tabs} data-print="hide"><Tabs items={tabs} after={tabsAfter} /></div>
      )}
    </header>
  );
}
