/** Every control in every state, for the living gallery: looked at, compared with the pictures, and read by axe. */
import { useState } from 'react';
import { ChoicesGallery, DatesGallery, MergeGallery, PagesGallery, PiecesGallery } from './controls-more.gallery.tsx';
import { AsyncSelect } from './select/async-select.tsx';
import { Autocomplete } from './select/autocomplete.tsx';
import { EmailChips } from './field/email-chips.tsx';
import { GallerySection } from './gallery-section.tsx';
import { MoneyField } from './field/money-field.tsx';
import { MultiSelect } from './select/multi-select.tsx';
import { NumberField } from './field/number-field.tsx';
import type { Option, OptionPage } from './select/option.ts';
import { PercentField } from './field/percent-field.tsx';
import { SearchInput } from './field/search-input.tsx';
import { MentionField } from './field/mention-field.tsx';
import { TextField, type TextFieldProps } from './field/text-field.tsx';
import styles from './controls.gallery.module.css';

function Text(props: Partial<TextFieldProps> & { label: string; start?: string }) {
  const { start = '', ...rest } = props;
  const [value, setValue] = useState(start);
  return <TextField {...rest} value={value} onChange={setValue} />;
}

const VENUES: Option<number>[] = [
  { value: 1, label: 'Ravenswood Playhouse', children: 'Long Island City, NY' },
  { value: 2, label: 'The Foundry', children: 'Denver, CO' },
  { value: 3, label: 'Savoy Theatre', children: 'London' },
  { value: 4, label: 'Gaiety Theatre', children: 'Dublin' },
];

/** Pages of made-up venues, three of them, so that the end of the list can be reached. */
function venuePages(search: string, page: number): Promise<OptionPage<number>> {
  const all = Array.from({ length: 60 }, (_, i) => ({ value: i, label: `Venue ${i + 1}`, children: `V-${1000 + i}` }));
  const found = all.filter((option) => option.label.toLowerCase().includes(search.toLowerCase()));
  const last = Math.max(1, Math.ceil(found.length / 20));
  const data = found.slice((page - 1) * 20, page * 20);
  return Promise.resolve({ data, meta: { current_page: page, last_page: last } });
}

const COLLEAGUES = [{ value: 1, label: 'Eleanor Marsh' }, { value: 2, label: 'Theo Brandt' }];
const colleagues = () => Promise.resolve({ data: COLLEAGUES, meta: { current_page: 1, last_page: 1 } });

function TextGallery() {
  return (
    <GallerySection title="Text fields">
      <Text label="Venue name" start="Ravenswood Playhouse" />
      <Text label="Contact" required placeholder="First and last name" caption="Signs for the venue" />
      <Text label="Email" type="email" start="front@house" error="Enter an address such as box@savoy.example" />
      <Text label="Password" type="password" start="ghost light" labelAside={<a href="#forgot">Forgot it?</a>} />
      <Text label="Purchase order" prefix="PO" start="ACP-2271" suffix="opt."
        help={{ text: 'The number your school or district gave this order.', readMoreHref: '#po' }} />
      <Text label="Customer number" start="C-004711" disabled />
      <Text label="Licence number" start="L-US-2026-000481" readOnly />
      <Text label="Notes for the venue" rows={3} start="Load-in from the alley. Dock opens at 8." />
    </GallerySection>
  );
}

function FiguresGallery() {
  const [seats, setSeats] = useState<number | null>(200);
  const [fee, setFee] = useState<number | null>(199_050);
  const [credit, setCredit] = useState<number | null>(-2500);
  const [rate, setRate] = useState<number | null>(125_000);
  return (
    <GallerySection title="Figures">
      <NumberField label="Seats per performance" value={seats} onChange={setSeats} />
      <NumberField label="Cast size" value={null} onChange={() => {}} error="Cast size is required" required />
      <MoneyField label="Fee per performance" currency="USD" value={fee} onChange={setFee} />
      <MoneyField label="Adjustment" currency="GBP" allowNegative value={credit} onChange={setCredit} />
      <PercentField label="Royalty" value={rate} onChange={setRate} caption="Of the weighted gross" />
      <MoneyField label="Minimum" currency="EUR" value={9500} onChange={() => {}} disabled />
    </GallerySection>
  );
}

function ListsGallery() {
  const [venue, setVenue] = useState<number | null>(1);
  const [remote, setRemote] = useState<number | null>(null);
  const [venues, setVenues] = useState<number[]>([1, 3]);
  const [text, setText] = useState('');
  const [memo, setMemo] = useState('Ask @Theo Brandt about the vocal books.');
  const [search, setSearch] = useState('');
  const [emails, setEmails] = useState(['box@savoy.example', 'marta.reyes@astoria.example']);
  const found = VENUES.filter((option) => option.label.toLowerCase().includes(text.toLowerCase()));
  return (
    <GallerySection title="Lists">
      <AsyncSelect label="Venue" options={VENUES} value={venue} onChange={setVenue} clearable />
      <AsyncSelect label="Venue, from the server" source={venuePages} value={remote} onChange={setRemote}
        placeholder="Choose a venue" />
      <AsyncSelect label="Show" options={[]} value={null} onChange={() => {}} required error="Choose a show" />
      <AsyncSelect label="Division" options={[]} value="US" selectedLabel="US · USD" onChange={() => {}} disabled />
      <MultiSelect label="Venues of the tour" options={VENUES} value={venues} onChange={setVenues} />
      <Autocomplete label="Find a venue" value={text} onChange={setText} placeholder="Type a name"
        items={found.map((option) => ({ id: option.value, label: option.label, note: option.children }))}
        onChoose={(id) => setText(VENUES.find((option) => option.value === id)?.label ?? '')} />
      <Autocomplete label="Find a customer" value="Larimer" onChange={() => {}} items={[]} onChoose={() => {}} loading
        error="Choose a customer from the list" />
      <MentionField label="Memo" value={memo} onChange={setMemo} people={colleagues}
        caption="@ names a colleague, who is told" />
      <SearchInput label="Filter this list" value={search} onChange={setSearch} shortcut="/" />
      <EmailChips label="Recipients" value={emails} onChange={setEmails} caption="They get the offer as a PDF" />
      <EmailChips label="Copies" value={[]} onChange={() => {}} />
    </GallerySection>
  );
}

export function ControlsGallery() {
  return (
    <div className={styles.gallery}>
      <TextGallery />
      <FiguresGallery />
      <DatesGallery />
      <ListsGallery />
      <ChoicesGallery />
      <PiecesGallery />
      <MergeGallery />
      <PagesGallery />
    </div>
  );
}
