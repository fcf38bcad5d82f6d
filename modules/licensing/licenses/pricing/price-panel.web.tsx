/** The stored price of a licence: the sum in one line, and the docked "How this was calculated" (picture 02). */
import { Calculator, CircleCheck, Printer } from 'lucide-react';
import { spell } from '#kernel/text/english.ts';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay, formatInstant } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Trace, TraceIcon } from '#web/data/trace.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { Tip } from '#web/controls/tip/tip.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import type { LicenseRow } from '../license.contract.ts';
import { totalWords } from '../../words.web.ts';
import { priceStats, traceSteps } from './price-trace.web.ts';
import { pricingEndpoints, type StoredPrice } from './pricing.contract.ts';
import styles from '../../licensing.module.css';

/** `linesAt`: where the lines of the sums stand, on a page that does not show them itself (U20). */
export function PriceStrip({ license, price, open, onToggle, linesAt }: {
  license: LicenseRow; price: StoredPrice | undefined; open: boolean; onToggle: () => void;
  linesAt?: string | undefined;
}) {
  if (license.priced_at === null || price?.priced_at === null) return <NotPriced license={license} />;
  // The licence has the sum with it: it stands before the steps are read.
  const sums = { tax_minor: license.tax_total_minor, deposit_minor: license.security_deposit_minor,
    total_minor: license.grand_total_minor };
  const stats = priceStats(price?.lines ?? license.price_parts ?? [], sums, totalWords(license));
  const label = open ? 'Hide how this was calculated' : 'How this was calculated';
  return (
    <StatStrip label={spell`Price of the license`}
      stats={linesAt === undefined ? stats : stats.map((stat) => ({ ...stat, href: linesAt }))} action={(
        <Tip text={label}>
          <button type="button" className={styles.calculator} aria-label={label} aria-expanded={open}
            onClick={onToggle}>
            <Glyph icon={Calculator} size={17} />
          </button>
        </Tip>
      )} />
  );
}

function NotPriced({ license }: { license: LicenseRow }) {
  const may = useMay();
  const action = useAction(pricingEndpoints.price, {
    done: (answer) => `Priced at ${formatAmount(answer.data.totals.grand_total_minor, answer.data.currency)}`,
  });
  const draft = license.phase === 'draft';
  const empty = license.number_of_performances === 0;
  return (
    <Callout tone={draft ? 'info' : 'warn'} title="Not priced yet" action={draft && !empty && may('license.update') && (
      <Button size="small" pending={action.pending} onClick={() => void action.run({ params: { licenseId: license.id },
        body: { version: license.version } })}>Price it</Button>
    )}>
      {empty ? 'A price needs a venue with its ticket prices and at least one performance.'
        : 'The price is worked out with the rate card in force and stored with every step.'}
    </Callout>
  );
}

const TRACE_TITLE = 'How this was calculated';

export function TraceDrawer({ license, price, open, onClose }: {
  license: LicenseRow; price: StoredPrice | undefined; open: boolean; onClose: () => void;
}) {
  if (license.priced_at === null || price?.priced_at === null) return null;
  // Its place is taken while the steps are on their way: what came later would push the whole screen aside.
  if (!price) return <Drawer open={open} onClose={onClose} icon={<TraceIcon />} title={TRACE_TITLE}>{null}</Drawer>;
  const { totals } = price;
  const paid = totals.paid_minor > 0 && totals.balance_minor <= 0;
  const version = license.offer_version > 0 && license.offer_sent_at
    ? `Stored with version ${license.offer_version} on ${formatDay(license.offer_sent_at)}. `
      + 'The customer sees the same steps.'
    : `Stored on ${formatInstant(price.priced_at)}.`;
  return (
    <Drawer open={open} onClose={onClose} icon={<TraceIcon />} title={TRACE_TITLE} tools={(
      <IconButton label="Print" icon={<Glyph icon={Printer} />} onClick={() => window.print()} />
    )}>
      <Trace heading={false} note={version} steps={traceSteps(price.trace)}
        total={{ minor: totals.grand_total_minor, currency: price.currency,
          ...(price.promise ? { label: 'Guaranteed' } : {}) }}
        after={paid ? (
          <p className={styles.paid}><Glyph icon={CircleCheck}
            size={15} /> Paid in full · balance {formatAmount(totals.balance_minor)}</p>
        ) : totals.invoiced_minor > 0 && (
          <p className={styles.faint}>
            Invoiced {formatAmount(totals.invoiced_minor)}, paid {formatAmount(totals.paid_minor)}, balance{' '}
            {formatAmount(totals.balance_minor)}
          </p>
        )} />
    </Drawer>
  );
}
