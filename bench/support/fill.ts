/** A table filled by one statement. */
import { Sql, sql } from '#server/sql.ts';
import type { BenchDatabase } from './database.ts';

/** Rows without triggers and with the indexes made afterwards, as a restore would do it. */
export async function fill(root: BenchDatabase['root'], name: string, insert: string): Promise<void> {
  const indexes = await root.query<{ indexname: string; indexdef: string }>(sql`
    select indexname, indexdef from pg_indexes where tablename = ${name}
      and indexname not in (select conname from pg_constraint)`);
  await root.tx(async (tx) => {
    await tx.exec(sql`set local session_replication_role = replica`);
    await tx.exec(sql`set local maintenance_work_mem = '512MB'`);
    for (const { indexname } of indexes) await tx.exec(new Sql([`drop index ${indexname}`], []));
    await tx.exec(new Sql([insert], []));
    for (const { indexdef } of indexes) await tx.exec(new Sql([indexdef], []));
  });
}
