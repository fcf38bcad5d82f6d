/** Applying for a show in four steps, with the price and the rights checked while one types (RT28). */
import { ArrowRight, CircleCheck, LoaderCircle, TriangleAlert, WifiOff } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { applicationEndpoints, type CustomerApplication,
} from '#modules/licensing/applications/application.contract.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { Stepper, type StepState } from '#web/layout/stepper.tsx';
import { useIdParam, useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { StepProps } from './apply-step.web.ts';
import { FeeLine, holdWords, OneMore } from './apply-price.web.tsx';
import { stopName } from './apply-stops.web.ts';
import {
  emptyApplication, missingOf, nightsOf, placeOf, priceQuestion, valuesOf, type ApplyValues, type Stop,
} from './apply-values.web.ts';
import { LinesSkeleton, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { inWords } from './portal-words.web.ts';
import { PriceCard } from './price-card.web.tsx';
import { useDraft, type Draft } from './use-draft.web.ts';
import { useLivePrice, useRunCheck } from './use-live.web.ts';
import apply from './apply.module.css';
import styles from './portal.module.css';

/** The fields, fetched while the draft and the price are read. */
const dates = () => import('./apply-dates.web.tsx');
const tickets = () => import('./apply-tickets.web.tsx');
const production = () => import('./apply-production.web.tsx');
const DatesStep = lazy(() => dates().then((file) => ({ default: file.DatesStep })));
const TicketsStep = lazy(() => tickets().then((file) => ({ default: file.TicketsStep })));
const ProductionStep = lazy(() => production().then((file) => ({ default: file.ProductionStep })));
const ReviewStep = lazy(() => production().then((file) => ({ default: file.ReviewStep })));
const OtherTitles = lazy(() => import('./apply-titles.web.tsx').then((file) => ({ default: file.OtherTitles })));

type Show = ResponseOf<typeof portalEndpoints.show>['data'];
type House = ResponseOf<typeof portalEndpoints.information>['data'];

const STEPS = [
  { label: 'Dates and place', title: 'When and where will you play?', Step: DatesStep },
  { label: 'Tickets', title: 'Seats and prices', Step: TicketsStep },
  { label: 'Production', title: 'Your production', Step: ProductionStep },
  { label: 'Review', title: 'Everything right?', Step: ReviewStep },
];

function Saved({ draft }: { draft: Draft }) {
  const looks = {
    new: null,
    saving: <><Glyph icon={LoaderCircle} /> Saving</>,
    saved: <><Glyph icon={CircleCheck} /> Saved, you can finish later</>,
    waiting: <><Glyph icon={WifiOff} /> Waiting for the connection, then it is saved</>,
    failed: <><Glyph icon={TriangleAlert} /> Not saved: {draft.failure}</>,
  };
  return <p className={styles.saved} data-state={draft.state} role="status">{looks[draft.state]}</p>;
}

/** 'Your date is available.', 'Both dates are available.', 'All four dates are available.' */
function freeWords(count: number): string {
  return count === 1 ? 'Your date is available.' : count === 2 ? 'Both dates are available.'
    : `All ${inWords(count)} dates are available.`;
}

/** `name` where there are several venues: what is free then is not said of each. */
function Rights({ stop, name, customerId, showId }: {
  stop: Stop; name: string | null; customerId: number; showId: number;
}) {
  const days = [...new Set(stop.nights.map((night) => night.day))].toSorted();
  const check = useRunCheck(customerId, showId, days[0] ?? '', days.at(-1) ?? '', placeOf(stop));
  if (days.length === 0 || !check.data) return null;
  const { verdict, reason_public: reason, alternatives } = check.data.data;
  // The answer is about the nights before: the note keeps its place and says nothing that is not known.
  if (check.isPlaceholderData) {
    return name === null ? <Callout title="Checking your nights">One moment.</Callout> : null;
  }
  if (verdict === 'clear') {
    return name === null
      ? <Callout tone="ok" title={freeWords(days.length)}>We hold them with our offer.</Callout> : null;
  }
  const where = name === null ? '' : `${name}: `;
  return (
    <Callout tone={verdict === 'blocked' ? 'error' : 'warn'} live
      title={`${where}${verdict === 'blocked' ? 'Not available on these dates'
        : 'We have to ask the rights holders'}`}>
      {reason}{alternatives[0] && ` Free instead: ${
        alternatives.map((one) => daySpan(one.from, one.to)).join(' or ')}.`}
    </Callout>
  );
}

interface FormProps { show: Show; house: House; found: CustomerApplication | undefined }

function useHandIn(customerId: number, base: string, draft: Draft) {
  const { go } = useNavigation();
  const submit = useAction(applicationEndpoints.customerStatus, {
    done: 'Your application is with us', onFailure: () => undefined,
    onDone: ({ data }) => go(`${base}/applications/${data.id}`, { replace: true }),
  });
  return {
    submit,
    handIn: async () => {
      const row = await draft.save();
      if (row) await submit.run({ params: { id: customerId, applicationId: row.id },
        body: { event: 'submit', version: row.version } });
    },
  };
}

/** Keeps the open step in the address: Back goes to the previous step, and a reload opens the same one. */
function useStep(draft: Draft) {
  const { values, set } = useQueryValues();
  const { read } = useNavigation();
  const at = Math.min(STEPS.length, Math.max(1, Number(values.get('step')) || 1)) - 1;
  const id = draft.saved?.id;
  // Once it is kept the address says which one: a reload, or Back and on again, finds it instead of a new one.
  // Once handed in, this screen stands until the next one is loaded: that one's address is its own.
  useEffect(() => {
    const here = /\/apply\/\d+$/.test(read().path);
    if (here && id !== undefined && values.get('application') !== String(id)) set({ application: String(id) });
  }, [id, values, set, read]);
  return {
    at,
    goTo: (index: number) => {
      void draft.save();
      set({ step: index === 0 ? null : String(index + 1) }, { push: true });
      window.scrollTo({ top: 0 });
    },
  };
}

interface OnwardProps {
  at: number; values: ApplyValues; submit: ReturnType<typeof useHandIn>['submit'];
  onNext: () => void; onHandIn: () => void;
}

/** The page's one button under the price: to the next step, at the end out of the house. */
function Onward({ at, values, submit, onNext, onHandIn }: OnwardProps) {
  const portal = usePortal();
  const next = STEPS[at + 1];
  const [missing] = missingOf(values);
  return (
    <div className={styles.underCard}>
      {next && (
        <Button variant="primary" size="large" wide iconAfter={<Glyph icon={ArrowRight} />} onClick={onNext}>
          Continue to {next.label.toLowerCase()}</Button>
      )}
      {!next && portal.maySee && (
        <Button variant="primary" size="large" wide pending={submit.pending} onClick={onHandIn}
          {...((portal.held ?? missing) && { reason: portal.held ?? missing!.text })}>
          Hand in the application</Button>
      )}
      {!next && !portal.maySee && (
        <p className={styles.muted}>{spell`It is saved. An admin or signer of your organization submits it.`}</p>
      )}
      <p className={styles.small}>{holdWords(values)}</p>
    </div>
  );
}

/** Every part of the form, so that it can be filled in to its end where the connection is lost on the way. */
function useWholeForm(): void {
  useEffect(() => {
    // One that does not come now is asked for again when it is opened.
    Promise.all([dates(), tickets(), production(), import('./apply-series.web.tsx'),
      import('./apply-paste.web.tsx'), import('./apply-other-dates.web.tsx')]).catch(() => undefined);
  }, []);
}

function ApplyForm({ show, house, found }: FormProps) {
  useWholeForm();
  const { customerId, base } = usePortal();
  const { go } = useNavigation();
  const [values, setValues] = useState(() => (found ? valuesOf(found, show.id)
    : emptyApplication(house.name, house.venues[0]?.id ?? null, house.billing_address?.country_code)));
  const draft = useDraft(customerId, show.id, values, found);
  const question = priceQuestion(values, show.id);
  const price = useLivePrice(customerId, question);
  const { submit, handIn } = useHandIn(customerId, base, draft);
  const { at, goTo } = useStep(draft);
  const step = STEPS[at]!;
  const set: StepProps['set'] = (changes) => setValues((old) => ({ ...old, ...changes }));
  const props: StepProps = { values, set, customerId, base, showId: show.id, currency: house.default_currency,
    venues: house.venues, addOns: show.add_ons, isProfessional: house.kind === 'professional',
    dayFirst: house.default_division === 'UK' || house.default_division === 'EU', goTo };
  const first = values.stops[0];
  const missing = missingOf(values);
  const stateOf = (index: number): StepState => (index === at ? 'current' : index > at ? 'future'
    : missing.some((one) => one.step === index) ? 'unfinished' : 'past');
  const failure = submit.failure && (Object.values(submit.failure.fields).flat()[0] ?? submit.failure.message);
  return (
    <>
      <PortalHead title={show.title} facts={[house.name]} back={{ href: `${base}/shows/${show.id}`, text: 'The show' }}>
        <div className={apply.side}>
          <div>
            <Saved draft={draft} />
            <Button pending={draft.state === 'saving'} onClick={() => void draft.save().then((row) => row
              && go(`${base}/productions`))}>Save and close</Button>
          </div>
          <Stepper variant="numbers" label="Steps of the application" onSelect={goTo}
            steps={STEPS.map((one, index) => ({ label: one.label, state: stateOf(index) }))} />
        </div>
      </PortalHead>
      <div className={styles.wideSplit}>
        <Card title={step.title}>
          <div className={styles.stack}>
            {failure && <Callout tone="error" live title={String(failure)} />}
            <Suspense fallback={<LinesSkeleton lines={[68, 380, 22]} />}><step.Step {...props} /></Suspense>
            {values.stops.map((stop, at) => (
              <Rights key={stop.key} stop={stop} customerId={customerId} showId={show.id}
                name={values.stops.length === 1 ? null : stopName(stop, house.venues) || `Venue ${at + 1}`} />
            ))}
            {at > 0 && <div><Button onClick={() => goTo(at - 1)}>Back</Button></div>}
          </div>
        </Card>
        <div className={styles.stickySide}>
          <PriceCard read={price} waiting={question ? undefined
            : 'Choose your nights, enter seats and prices; the price appears here.'}
          under={<OneMore customerId={customerId} showId={show.id} values={values} now={price} />}
          formula={(one) => <FeeLine price={one} />} />
          <Onward at={at} values={values} submit={submit} onNext={() => goTo(at + 1)}
            onHandIn={() => void handIn()} />
        </div>
      </div>
      {first && nightsOf(values).length > 0 && (
        <Suspense fallback={null}>
          <OtherTitles customerId={customerId} showId={show.id} values={values} place={placeOf(first)}
            onChange={(others) => set({ others })} />
        </Suspense>
      )}
    </>
  );
}

export default function ApplyPage() {
  const { customerId } = usePortal();
  const showId = useIdParam('showId');
  const { values } = useQueryValues();
  // As the page was opened: the draft that this very form makes later is in the address too, and is not read anew.
  const [resumed] = useState(() => Number(values.get('application')) || 0);
  const show = useEndpoint(portalEndpoints.show, { params: { id: customerId, showId } });
  const house = useEndpoint(portalEndpoints.information, { params: { id: customerId } });
  const draft = useEndpoint(applicationEndpoints.customerShow, { params: { id: customerId, applicationId: resumed } },
    { enabled: resumed > 0, staleTime: 0 });
  return (
    <QueryBoundary read={show} page="Apply">
      {(one) => (
        <QueryBoundary read={house}>
          {(two) => (resumed > 0
            ? <QueryBoundary read={draft}>
                {(three) => <ApplyForm key={resumed} show={one.data} house={two.data} found={three.data} />}
              </QueryBoundary>
            : <ApplyForm key={showId} show={one.data} house={two.data} found={undefined} />)}
        </QueryBoundary>
      )}
    </QueryBoundary>
  );
}
