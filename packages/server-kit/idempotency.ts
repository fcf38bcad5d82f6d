/**
 * The idempotency contract at the door (reliability.md 5.2): the row is inserted first, in the same transaction as
 * the effect and the stored answer. A twin in flight waits on the unique key; the same key with another request is
 * refused; a repeated request gets the stored answer and `Idempotent-Replayed: true`. Keys live 7 days.
 */
import { createHash } from 'node:crypto';
import { refuse } from '#kit/errors.ts';
import { sql } from './sql.ts';
import type { Tx } from './db.ts';

export interface StoredAnswer {
  status: number;
  body: unknown;
}

/** Hash of what the request asks for; object keys are sorted so that order does not matter. */
export function fingerprint(method: string, path: string, body: unknown, file?: Buffer): string {
  const hash = createHash('sha256').update(`${method} ${path} `).update(canonical(body));
  if (file) hash.update(file);
  return hash.digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, v]) => `${JSON.stringify(key)}:${canonical(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** The stored answer of an earlier request with this key, or null after having claimed the key for this one. */
export async function claimKey(
  tx: Tx, claim: { user_id: number | null; key: string; fingerprint: string },
): Promise<StoredAnswer | null> {
  const claimed = await tx.exec(sql`
    insert into idempotency_keys (user_id, key, fingerprint) values (${claim.user_id}, ${claim.key},
      ${claim.fingerprint})
    on conflict do nothing`);
  if (claimed === 1) return null;
  const row = await tx.maybeOne<{ fingerprint: string; status: number | null; body: unknown }>(sql`
    select fingerprint, status, body from idempotency_keys
    where user_id is not distinct from ${claim.user_id} and key = ${claim.key}`);
  if (!row || row.status === null) throw refuse('in_progress');
  if (row.fingerprint !== claim.fingerprint) throw refuse('idempotency_key_reused');
  return { status: row.status, body: row.body };
}

export async function storeAnswer(
  tx: Tx, claim: { user_id: number | null; key: string }, answer: StoredAnswer,
): Promise<void> {
  await tx.exec(sql`
    update idempotency_keys set status = ${answer.status}, body = ${JSON.stringify(answer.body ?? null)}
    where user_id is not distinct from ${claim.user_id} and key = ${claim.key}`);
}
