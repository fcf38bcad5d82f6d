/** A statement line opened: the accruals it sums up, and how each of them was shared. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { TraceIcon } from '#web/data/trace.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { AccrualTrace } from '../accruals/accrual-trace.web.tsx';
import { rateWords, SECTION_WORDS } from '../royalty-words.web.ts';
import styles from '../royalty.module.css';
import type { StatementDetail } from './statement.contract.ts';

type Line = StatementDetail['lines'][number];

export function LineDrawer({ line, currency, onClose }: { line: Line; currency: string; onClose: () => void }) {
  const ids = line.accrual_ids;
  const [at, setAt] = useState(0);
  const id = ids[at];
  return (
    <Drawer open onClose={onClose} width={396} icon={<TraceIcon />} title={SECTION_WORDS[line.section]}>
      <div className={styles.stack}>
        <LineFacts line={line} currency={currency} />
        {ids.length === 0 && <EmptyState title="No calculation behind this line"
          text="It was entered or carried, not shared from income." />}
        {ids.length > 1 && (
          <div className={styles.row}>
            <span className={styles.muted}>Part {at + 1} of {ids.length}</span>
            <Button size="small" onClick={() => setAt(at - 1)} reason={at === 0 ? 'This is the first' : undefined}>
              Previous
            </Button>
            <Button size="small" onClick={() => setAt(at + 1)}
              reason={at === ids.length - 1 ? 'This is the last' : undefined}>
              Next
            </Button>
          </div>
        )}
        {id !== undefined && <AccrualTrace key={id} id={id} />}
      </div>
    </Drawer>
  );
}

function LineFacts({ line, currency }: { line: Line; currency: string }) {
  const may = useMay();
  return (
    <KeyValue layout="rows" facts={[
      { label: 'Line', value: line.description },
      line.license_id !== null && { label: spell`License`, value: may('license.show')
        ? <AppLink className="gr-link" href={`/admin/quotes/${line.license_id}`}>{line.license_number}</AppLink>
        : line.license_number },
      line.gross_minor !== null && { label: spell`Gross receipts ${currency}`,
        value: <Money minor={line.gross_minor} /> },
      line.base_minor !== null && line.rate_ppm !== null && { label: 'Share of',
        value: `${rateWords(line.rate_ppm)} of ${formatAmount(line.base_minor)}` },
      { label: `On the statement ${currency}`, value: <Money minor={line.amount_minor} strong /> },
    ]} />
  );
}
