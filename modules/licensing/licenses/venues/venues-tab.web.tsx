/** Venues of a licence with ticketing, performances, the sum and how it was calculated (picture 02). */
import { ChevronDown, MapPin, Pencil, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { addressLine } from '#kernel/address/address-lines.ts';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Columns, PageContent } from '#web/layout/page-content.tsx';
import { useOnPaper } from '#web/layout/use-on-paper.ts';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { LicenseFrame } from '../license-frame.web.tsx';
import type { LicenseView } from '../license-view.web.ts';
import { PerformanceTable } from '../performances/performance-table.web.tsx';
import { PriceStrip, TraceDrawer } from '../pricing/price-panel.web.tsx';
import { pricingEndpoints } from '../pricing/pricing.contract.ts';
import type { LicenseVenueRow } from './license-venue.contract.ts';
import { ticketColumns } from './ticket-columns.web.tsx';
import { VenueDialog } from './venue-dialog.web.tsx';
import styles from '../../licensing.module.css';

/** A tour of more houses shows the first of them whole, the others by their heads, each opened where it stands. */
const MOST_OPEN = 6;

export default function VenuesTab() {
  return <LicenseFrame>{(view) => <Venues view={view} />}</LicenseFrame>;
}

function Venues({ view }: { view: LicenseView }) {
  const { license } = view;
  const may = useMay();
  const price = useEndpoint(pricingEndpoints.trace, { params: { licenseId: license.id } });
  const [trace, setTrace] = useState(() => window.innerWidth > 1100);
  const [adding, setAdding] = useState(false);
  const stored = price.data?.data;
  const edits = license.phase === 'draft' && may('license.update');
  const venues = license.license_venues ?? [];
  return (
    <Columns side={<TraceDrawer license={license} price={stored} open={trace} onClose={() => setTrace(false)} />}>
      <PageContent record fullWidth>
        {price.isError ? <NotLoaded title="The price did not load" read={price} />
          : <PriceStrip license={license} price={stored} open={trace} onToggle={() => setTrace(!trace)}
            linesAt={`${view.place.base}/price`} />}
        {venues.map((venue, index) => (
          <Venue key={venue.id} venue={venue} view={view} edits={edits}
            folds={venues.length > MOST_OPEN} openFirst={index === 0} />
        ))}
        {venues.length === 0 && (
          <EmptyState title="No venue yet" text="Rights and fee depend on the venue, seats and prices."
            action={edits && <Button variant="primary" onClick={() => setAdding(true)}>Add a venue</Button>} />
        )}
        {edits && venues.length > 0 && (
          <div className={styles.subhead}>
            <Button icon={<Glyph icon={Plus} />} onClick={() => setAdding(true)}>Add venue</Button>
          </div>
        )}
        {adding && <VenueDialog license={license} onClose={() => setAdding(false)} />}
      </PageContent>
    </Columns>
  );
}

const seats = (value: number) => value.toLocaleString('en-US');

interface VenueProps { venue: LicenseVenueRow; view: LicenseView; edits: boolean; folds: boolean; openFirst: boolean }

function Venue({ venue, view, edits, folds, openFirst }: VenueProps) {
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState(openFirst);
  const inside = useId();
  useOnPaper(() => setOpen(true));
  const facts = [addressLine(venue.address),
    venue.capacity !== null ? `${seats(venue.capacity)} seats` : '',
    venue.expected_attendance !== null ? `${seats(venue.expected_attendance)} expected` : '',
    folds ? `${venue.number_of_performances} performance${venue.number_of_performances === 1 ? '' : 's'}` : '',
    folds && venue.royalty_minor !== null ? `royalty ${formatAmount(venue.royalty_minor)}` : ''].filter(Boolean);
  return (
    <section className={styles.venue} aria-label={venue.name}>
      <div className={styles.venueHead}>
        <span className={styles.tile}><Glyph icon={MapPin} size={17} /></span>
        <div className={styles.grow}>
          <h2 className={styles.venueName}>{venue.name}</h2>
          <p className={styles.muted}>{facts.join(' · ')}</p>
        </div>
        {edits && <Button icon={<Glyph icon={Pencil} size={15} />} onClick={() => setEditing(true)}>Edit</Button>}
        {folds && (
          <IconButton label={`Prices and performances of ${venue.name}`} icon={<Glyph icon={ChevronDown} />}
            aria-expanded={open} aria-controls={inside} className={styles.fold} onClick={() => setOpen(!open)} />
        )}
      </div>
      <div id={inside}>
        {(open || !folds) && <VenueInside venue={venue} view={view} />}
      </div>
      {editing && <VenueDialog license={view.license} venue={venue} onClose={() => setEditing(false)} />}
    </section>
  );
}

function VenueInside({ venue, view }: Pick<VenueProps, 'venue' | 'view'>) {
  const rows = venue.ticketing.map((row, index) => ({ ...row, place: index + 1 }));
  return (
    <>
      <div className={styles.venueBody}>
        <div className={styles.venueTable}>
          <DataTable label={`Ticketing of ${venue.name}`} variant="record" columns={ticketColumns(venue.ticketing)}
            rows={rows}
            rowKey={(row) => row.place} totalLabel={rows.length === 1 ? '1 price' : `${rows.length} prices`}
            empty={{ title: 'No ticket prices yet', text: 'Seats and prices are what the fee is worked out from.' }} />
        </div>
        <VenueFacts venue={venue} />
      </div>
      <PerformanceTable view={view} venue={venue} />
    </>
  );
}

function VenueFacts({ venue }: { venue: LicenseVenueRow }) {
  const facts: { label: string; minor: number | null; basis?: boolean }[] = [
    { label: 'Gross at capacity', minor: venue.capacity_gross_minor },
    { label: 'Weighted gross', minor: venue.weighted_gross_minor },
    { label: 'Fee per performance', minor: venue.unit_fee_minor },
    ...(venue.unit_fee_minor === null ? [{ label: 'Royalty here', minor: venue.royalty_minor }] : []),
  ];
  const known = facts.filter((fact) => fact.minor !== null);
  if (known.length === 0) return null;
  return (
    <dl className={styles.venueFacts}>
      {known.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{formatAmount(fact.minor)}</dd>
        </div>
      ))}
    </dl>
  );
}
