/** A new quote: customer, show, places and dates; rights and price answer while one types (picture 08). */
import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { showEndpoints } from '#modules/catalogue/show/show.contract.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { dropDraft, keepDraft, readDraft } from '#web/controls/form/form-draft.ts';
import { DraftOffer } from '#web/controls/form/form-frame.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { UnsavedGuard } from '#web/controls/form/unsaved-guard.tsx';
import { DIVISION_CURRENCY, useDivision } from '#web/layout/division.ts';
import { Columns, PageContent, Section, SideColumn } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { errorsOf, FailureNote } from '../../action-dialog.web.tsx';
import { CATEGORY_CHOICES } from '../../words.web.ts';
import { EMPTY_PLACE, placeBody, QuotePlaces } from './quote-places.web.tsx';
import type { QuoteDraft } from './quote-draft.web.ts';
import { QuotePreview } from './quote-preview.web.tsx';
import { licenseEndpoints } from '../license.contract.ts';
import styles from '../../licensing.module.css';

const customers = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));
const shows = optionsFrom(showEndpoints.list, (row) => ({ value: row.id, label: row.title,
  children: `${row.show_code}, ${row.type}` }), { query: { active: 'true' } });

/** First thing still missing before it can be created, in the order of the form. */
export function missingOf(draft: QuoteDraft): string | undefined {
  if (!draft.customer_id) return 'Choose a customer';
  if (!draft.show_id) return 'Choose a show';
  return undefined;
}

/** A customer or a show that the way here has named: `?customer=5&show=7`. */
function useNamed(): Pick<QuoteDraft, 'customer_id' | 'show_id'> {
  const { values } = useQueryValues();
  const [named] = useState(() => {
    const idOf = (name: string): number | null => /^[1-9]\d{0,9}$/.test(values.get(name) ?? '')
      ? Number(values.get(name)) : null;
    return { customer_id: idOf('customer'), show_id: idOf('show') };
  });
  return named;
}

/** Names, from their records, of a customer and a show preselected by the link or by a draft. */
function useLabels({ customer_id: customer, show_id: show }: QuoteDraft) {
  const may = useMay();
  const customerRead = useEndpoint(customerEndpoints.show, { params: { id: customer ?? 0 } },
    { enabled: customer !== null && may('customer.show') });
  const showRead = useEndpoint(showEndpoints.show, { params: { id: show ?? 0 } },
    { enabled: show !== null && may('show.show') });
  return { customer: customerRead.data?.data.name ?? `Customer ${customer}`,
    show: showRead.data?.data.title ?? `Show ${show}` };
}

const DRAFT = 'license/new';

/** Input not created yet, offered again after a reload. */
function useKept(draft: QuoteDraft, dirty: boolean) {
  const [found, setFound] = useState(() => readDraft<QuoteDraft>(DRAFT)?.values);
  useEffect(() => (dirty ? keepDraft(DRAFT, { loaded: {}, values: draft }) : undefined), [dirty, draft]);
  return { found, drop: () => { dropDraft(DRAFT); setFound(undefined); }, taken: () => setFound(undefined) };
}

/** The form as it is begun, and as it stands. */
function useQuoteDraft() {
  const named = useNamed();
  const [begun] = useState<QuoteDraft>(() => ({ ...named, category: 'Amateur', places: [EMPTY_PLACE(0)] }));
  const [draft, setDraft] = useState(begun);
  return { begun, draft, setDraft };
}

export default function CreateQuote() {
  const { go } = useNavigation();
  const [division] = useDivision();
  const currency = DIVISION_CURRENCY[division];
  const { begun, draft, setDraft } = useQuoteDraft();
  const [saved, setSaved] = useState(false);
  const set = (change: Partial<QuoteDraft>) => setDraft((old) => ({ ...old, ...change }));
  const create = useAction(licenseEndpoints.create, { onFailure: () => undefined, done: 'The quote is started' });
  const places = useMemo(() => draft.places.map(placeBody).filter((place) => place !== null), [draft.places]);
  const dirty = !saved && draft !== begun;
  const kept = useKept(draft, dirty);
  const labels = useLabels(draft);
  const submit = async () => {
    if (!draft.customer_id || !draft.show_id) return;
    const answer = await create.run({ body: { customer_id: draft.customer_id, show_id: draft.show_id, division,
      category: draft.category, license_venues: places } });
    if (!answer) return;
    // At once: the guard of this page lets nobody leave before it has heard of it.
    flushSync(() => setSaved(true));
    kept.drop();
    go(`/admin/quotes/${answer.data.id}/venues`);
  };
  const errors = errorsOf(create.failure);
  const missing = missingOf(draft);
  return (
    <>
      <PageHeader title="New quote" back="/admin/quotes" division>
        <Button variant="primary" reason={missing} pending={create.pending}
          onClick={() => void submit()}>Create quote</Button>
      </PageHeader>
      <Columns side={<SideColumn label="Rights and price" width={372}><QuotePreview draft={draft} places={places}
        division={division} /></SideColumn>}>
        <form noValidate aria-label="New quote"
          onSubmit={(event) => { event.preventDefault(); if (!missing) void submit(); }}>
          {kept.found && (
            <PageContent record>
              <DraftOffer onRestore={() => { setDraft(kept.found!); kept.taken(); }} onDiscard={kept.drop} />
            </PageContent>
          )}
          <FailureBox failure={create.failure} />
          <Section record title="Show and customer">
            <div className={styles.pair}>
              <AsyncSelect<number> label="Customer" required source={customers} value={draft.customer_id}
                error={errors.customer_id} selectedLabel={labels.customer}
                onChange={(id) => set({ customer_id: id })} />
              <AsyncSelect<number> label="Show" required source={shows} value={draft.show_id} error={errors.show_id}
                selectedLabel={labels.show}
                onChange={(id) => set({ show_id: id })} />
              <RadioGroup label="Category" required choices={CATEGORY_CHOICES} value={draft.category}
                onChange={(category) => set({ category })} error={errors.category} />
            </div>
          </Section>
          <QuotePlaces places={draft.places} currency={currency} errors={errors}
            onChange={(change) => setDraft((old) => ({ ...old, places: change(old.places) }))} />
          <PageContent record>
            <div className={styles.row}>
              <Button type="submit" variant="primary" reason={missing} pending={create.pending}>Create quote</Button>
              <ButtonLink href="/admin/quotes" variant="quiet">Cancel</ButtonLink>
            </div>
          </PageContent>
          <UnsavedGuard dirty={dirty} />
        </form>
      </Columns>
    </>
  );
}

function FailureBox({ failure }: { failure: ReturnType<typeof useAction>['failure'] }) {
  if (!failure) return null;
  return <PageContent record><FailureNote failure={failure}
    known={['customer_id', 'show_id', 'category']} /></PageContent>;
}
