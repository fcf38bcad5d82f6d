/** Other titles for the same nights: an application names up to three, one is played. Figures as everywhere else. */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { nightsOf, priceQuestion, type ApplyValues } from './apply-values.web.ts';
import { COMPARED } from './compare-choice.web.ts';
import { useLivePrice, useRunCheck, type Place } from './use-live.web.ts';
import apply from './apply.module.css';

export interface OtherTitlesProps {
  customerId: number;
  showId: number;
  values: ApplyValues;
  place: Place;
  onChange: (others: readonly number[]) => void;
}

const RIGHTS = { clear: '', needs_clearance: 'subject to approval', blocked: 'not available' };

function Title({ id, customerId, values, place, onRemove }: OtherTitlesProps & { id: number; onRemove: () => void }) {
  const show = useEndpoint(portalEndpoints.show, { params: { id: customerId, showId: id } });
  // Its own add-ons are not those of the title that is applied for.
  const price = useLivePrice(customerId, priceQuestion({ ...values, add_ons: [] }, id));
  const nights = nightsOf(values);
  const check = useRunCheck(customerId, id, nights[0]?.day ?? '', nights.at(-1)?.day ?? '', place);
  const title = show.data?.data.title ?? (show.isError ? 'A show that is not here any more' : 'A show');
  const said = price.data?.data;
  const rights = check.data ? RIGHTS[check.data.data.verdict] : '';
  const facts = [said?.priced ? formatAmount(said.totals.total_minor, said.currency) : '',
    said?.promise ? `plus ${said.promise.rate}` : '', rights].filter(Boolean);
  return (
    <li className={apply.title}>
      <strong>{title}</strong>
      {facts.length > 0 && <span>{facts.join(', ')}</span>}
      <IconButton label={`Take away ${title}`} icon={<Glyph icon={X} size={16} />} onClick={onRemove} />
    </li>
  );
}

export function OtherTitles(props: OtherTitlesProps) {
  const { customerId, showId, values, onChange } = props;
  const [adding, setAdding] = useState(false);
  const { others } = values;
  const full = others.length + 1 >= COMPARED;
  const add = (id: number | null) => {
    setAdding(false);
    if (id !== null && id !== showId && !others.includes(id)) onChange([...others, id]);
  };
  return (
    <section className={apply.titles} aria-label="Same nights, other titles">
      <p>Same nights, other titles</p>
      {others.length > 0 && (
        <ul>
          {others.map((id) => (
            <Title key={id} {...props} id={id} onRemove={() => onChange(others.filter((one) => one !== id))} />
          ))}
        </ul>
      )}
      {!full && !adding && (
        <Button variant="quiet" icon={<Glyph icon={Plus} />} onClick={() => setAdding(true)}>Add a title</Button>
      )}
      {!full && adding && (
        <AsyncSelect<number> label="Another title" hideLabel value={null} onChange={add} placeholder="Choose a show"
          source={optionsFrom(portalEndpoints.shows, (row) => ({ value: row.id, label: row.title,
            children: row.authors_credit, disabled: row.id === showId || others.includes(row.id) }),
          { params: { id: customerId } })} />
      )}
      <p className={apply.titlesNote}>Apply for up to three, pay for one</p>
    </section>
  );
}
