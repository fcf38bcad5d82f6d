/** The database of this installation: the one DATABASE_URL names, else the embedded server under DATA_DIR. */
import { migrate } from '#server/migrate.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import type { Settings } from '#server/settings.ts';
import type { Connections } from './compose.ts';

export interface PreparedDatabase {
  connections: Connections;
  /** The owner's login: migrations and the demo season's checks. */
  owner_url: string;
  embedded: boolean;
  stop(): Promise<void>;
}

export const DATABASE_NAME = 'grand_rights';

export async function prepareDatabase(
  settings: Settings, migrations: string, say: (line: string) => void,
): Promise<PreparedDatabase> {
  const database = settings.database_url === null
    ? await embedded(settings, say) : given(settings, settings.database_url);
  say('Bringing the database up to date …');
  try {
    const { applied } = await migrate(database.owner_url, migrations);
    say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migrations.`);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

async function embedded(settings: Settings, say: (line: string) => void): Promise<PreparedDatabase> {
  say(`Starting PostgreSQL in ${settings.data_dir} …`);
  const server = await startEmbeddedPostgres({ dataDir: settings.data_dir, log: say });
  await server.ensureDatabase(DATABASE_NAME);
  return {
    connections: { app_url: server.urlFor(DATABASE_NAME, 'app_rw'), app_role: null },
    owner_url: server.urlFor(DATABASE_NAME, 'app_migrate'),
    embedded: true,
    stop: () => server.stop(),
  };
}

function given(settings: Settings, url: string): PreparedDatabase {
  return {
    connections: settings.database_url_app === null
      ? { app_url: url, app_role: 'app_rw' }
      : { app_url: settings.database_url_app, app_role: null },
    owner_url: url,
    embedded: false,
    stop: async () => {},
  };
}
