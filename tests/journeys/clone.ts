/** A database that the servers of the journeys talk to: a clone in the cluster of the tests, dropped at the end. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { loginsOf, type Connections } from '#apps/server/src/compose.ts';
import { startCluster, type Cluster } from '#tests/support/cluster.ts';
import { cloneName } from '#tests/support/memory.ts';

interface Clone { connections: Connections; stop: () => Promise<void> }

/** `templateOf` answers the name of the database that is cloned. */
export async function cloneDatabase(templateOf: (cluster: Cluster) => Promise<string>): Promise<Clone> {
  const cluster = await startCluster();
  const name = `${cloneName('journeys')}${randomBytes(6).toString('hex')}`;
  const asSuperuser = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: cluster.urlFor('postgres', cluster.superuser) });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const stop = async (): Promise<void> => {
    try {
      await asSuperuser(`drop database if exists ${name} with (force)`);
    } finally {
      await cluster.stop();
    }
  };
  try {
    await asSuperuser(`create database ${name} template ${await templateOf(cluster)} owner app_migrate ${
      cluster.cloneClause}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { connections: loginsOf((role) => cluster.urlFor(name, role)), stop };
}
