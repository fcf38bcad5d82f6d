/** Files of a production to keep: each copy carries the licence, and counts; what was taken is heard or seen here. */
import { useEffect, useState } from 'react';
import { Download } from 'lucide-react';
import { spell } from '#kernel/text/english.ts';
import { portalLicenseFileEndpoints, type LicenseFile } from '#modules/licensing/downloads/download.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { saveFile } from '#web/data/csv-file.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import { factLine } from './portal-words.web.ts';
import styles from './portal.module.css';

export function ProductionFiles({ production, portal }: ProductionProps) {
  const params = { id: portal.customerId, licenseId: production.id };
  const read = useEndpoint(portalLicenseFileEndpoints.list, { params });
  const rows = read.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title="Files">
      <ul className={styles.list}>
        {rows.map((row) => (
          <FileItem key={row.id} row={row} params={{ ...params, fileId: row.id }}
            acting={portal.held !== undefined} />
        ))}
      </ul>
      <p className={styles.small}>
        {spell`Your organization and license stand on every page of a PDF, your license in the name of every other
          file. A copy
        is for this production and not to be passed on.`}
      </p>
    </Card>
  );
}

interface ItemProps { row: LicenseFile; params: { id: number; licenseId: number; fileId: number }; acting: boolean }

function FileItem({ row, params, acting }: ItemProps) {
  const name = row.name === row.material_name ? row.name : `${row.material_name}, ${row.name}`;
  const [taken, setTaken] = useState<Blob | null>(null);
  const download = useAction(portalLicenseFileEndpoints.download, { refresh: [portalLicenseFileEndpoints.list],
    // A file travels as a Blob (contract/transport.ts).
    onDone: (file: unknown) => {
      saveFile(row.download_name, file as Blob, row.mime_type);
      if (row.kind !== 'pdf') setTaken(file as Blob);
      toast(`${name} is downloaded`);
    } });
  const left = Math.max(0, row.limit - row.used);
  const facts = [row.kind === 'pdf' ? `${row.pages} ${row.pages === 1 ? 'page' : 'pages'}` : KIND_WORDS[row.kind],
    `${left} of ${row.limit} ${row.limit === 1 ? 'download' : 'downloads'} left`,
    row.closes_on !== null && `until ${formatDay(row.closes_on)}`];
  const reason = row.reason ?? (acting ? 'Only its own people download: their name is on every page' : undefined);
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <strong>{name}</strong><span>{factLine(facts)}</span>
        {row.reason !== null && <span>{row.reason}</span>}
        {taken && <Taken kind={row.kind} name={name} file={taken} />}
      </span>
      <span className={styles.itemSide}>
        <Button icon={<Glyph icon={Download} size={16} />} pending={download.pending} {...(reason && { reason })}
          onClick={() => void download.run({ params })}>
          <span>Download<span className="gr-hidden"> {name}</span></span>
        </Button>
      </span>
    </li>
  );
}

const KIND_WORDS = { audio: 'Audio', picture: 'Picture' } as const;

/** The copy that was downloaded just now, from this page's memory: hearing it again takes no other download. */
function Taken({ kind, name, file }: { kind: LicenseFile['kind']; name: string; file: Blob }) {
  const [src, setSrc] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file);
    setSrc(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  if (src === null) return null;
  if (kind === 'picture') return <img className={styles.picture} src={src} alt={name} />;
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- a track to sing or play to has no text of its own
  return <audio className={styles.sound} controls src={src} aria-label={name} />;
}
