/** The person of ours who looks after a production, with phone, email and picture. */
import { MessageSquare } from 'lucide-react';
import { spell } from '#kernel/text/english.ts';
import type { ProductionDetail } from '#modules/licensing/portal/portal.contract.ts';
import { Avatar } from '#web/data/avatar.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import home from './home.module.css';
import styles from './portal.module.css';

export function RepresentativeCard({ production, base, write = false }: {
  production: ProductionDetail; base: string;
  /** With the way to the messages. */
  write?: boolean;
}) {
  const { license_rep: rep } = production;
  if (!rep) return null;
  return (
    <Card title={spell`Your licensing representative`}>
      <div className={styles.stack}>
        <div className={home.rep}>
          <Avatar name={rep.name} url={rep.avatar_url} size="lg" />
          <div className={home.repText}>
            <strong>{rep.name}</strong>
            {rep.job_title && <span>{rep.job_title}</span>}
            {rep.phone && <a className="gr-link" href={`tel:${rep.phone.replace(/[^+\d]/g, '')}`}>{rep.phone}</a>}
            {rep.email && <a className="gr-link" href={`mailto:${rep.email}`}>{rep.email}</a>}
          </div>
        </div>
        {write && (
          <div className={styles.actions}>
            <ButtonLink href={`${base}/productions/${production.id}/messages`} icon={<Glyph icon={MessageSquare} />}>
              Messages</ButtonLink>
          </div>
        )}
      </div>
    </Card>
  );
}
