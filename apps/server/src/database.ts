/** The database of this installation: the one DATABASE_URL names, else the embedded server under DATA_DIR. */
import pg from 'pg';
import { migrate } from '#server/migrate.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import type { Settings } from '#server/settings.ts';
import { loginsOf, type Connections, type Login } from './compose.ts';

export interface PreparedDatabase {
  connections: Connections;
  /** The owner's login: migrations. */
  owner_url: string;
  /** A login and database for locks that outlive a reset. */
  lock_url: string;
  /** Empties the database and migrates it again; null where it is not ours to empty. */
  reset: (() => Promise<void>) | null;
  stop(): Promise<void>;
}

export const DATABASE_NAME = 'grand_rights';

export async function prepareDatabase(
  settings: Settings, migrations: string, say: (line: string) => void,
): Promise<PreparedDatabase> {
  const database = settings.database_url === null
    ? await embedded(settings, migrations, say) : given(settings, settings.database_url);
  say('Bringing the database up to date …');
  try {
    const { applied, adopted } = await migrate(database.owner_url, migrations);
    if (adopted) say('The database ran the migrations that the baseline replaces; it is on the baseline now.');
    say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migrations.`);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

async function embedded(
  settings: Settings, migrations: string, say: (line: string) => void,
): Promise<PreparedDatabase> {
  say(`Starting PostgreSQL in ${settings.data_dir} …`);
  const server = await startEmbeddedPostgres({ dataDir: settings.data_dir, keepRunning: true, log: say });
  await server.ensureDatabase(DATABASE_NAME);
  const owner_url = server.urlFor(DATABASE_NAME, 'app_migrate');
  const lock_url = server.urlFor('postgres', server.superuser);
  return {
    connections: loginsOf((role) => server.urlFor(DATABASE_NAME, role)),
    owner_url, lock_url,
    reset: async () => {
      await once(lock_url, `drop database if exists ${DATABASE_NAME} with (force)`);
      await server.ensureDatabase(DATABASE_NAME);
      await migrate(owner_url, migrations);
    },
    stop: () => server.stop(),
  };
}

function given(settings: Settings, url: string): PreparedDatabase {
  const own = (login: string | null, role: string): Login =>
    (login === null ? { url, role } : { url: login, role: null });
  return {
    connections: {
      app: own(settings.database_url_app, 'app_rw'), portal: own(settings.database_url_portal, 'app_portal'),
      counter: own(settings.database_url_counter, 'app_counter'),
    },
    owner_url: url,
    lock_url: url,
    reset: null,
    stop: async () => {},
  };
}

async function once(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
