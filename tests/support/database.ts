/** A database of its own for a test file: cloned from the migrated template, dropped afterwards. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { createDb, type Db } from '#server/db.ts';
import type { Cluster } from './cluster.ts';
import type {} from './global-setup.ts';
import { cloneName } from './memory.ts';

export interface TestDatabase {
  /** As the application sees it: role app_rw. */
  db: Db;
  /** As the owner: for what only migrations may do. */
  owner: Db;
  app_url: string;
  owner_url: string;
  portal_url: string;
  /** By the role that logs in. */
  urls: Record<'app_rw' | 'app_portal' | 'app_counter', string>;
  superuser_url: string;
}

/** Waits of a machine that is busy with tests: people are told after 5 s that a lock is held, no test is about that. */
const PATIENT = { statementTimeoutMs: 120_000, lockTimeoutMs: 60_000, onError: () => {} };

/** Cluster to create databases in, as found by the setup of the run. */
export function clusterOfRun(): Pick<Cluster, 'urlFor' | 'superuser'> & { template: string } {
  const at = inject('testDatabase');
  const logins: Record<string, string> = { app_migrate: at.owner_url, app_rw: at.app_url, app_portal: at.portal_url,
    app_counter: at.counter_url };
  return { template: at.template, superuser: '',
    urlFor: (database, user) => logins[user]?.replace('DATABASE', database) ?? at.superuser_url };
}

/**
 * Call at the top of a test file; the fields are there once tests run. `templateOf` answers the name of the database
 * that is cloned, the empty migrated one unless told.
 */
export function testDatabase(templateOf = async (): Promise<string> => inject('testDatabase').template): TestDatabase {
  const database = {} as TestDatabase;
  const name = `${cloneName('test')}${randomBytes(6).toString('hex')}`;
  beforeAll(async () => {
    const at = inject('testDatabase');
    await admin(at.superuser_url,
      `create database ${name} template ${await templateOf()} owner app_migrate ${at.clone_clause}`);
    const urlOf = (url: string): string => url.replace('DATABASE', name);
    database.app_url = urlOf(at.app_url);
    database.owner_url = urlOf(at.owner_url);
    database.portal_url = urlOf(at.portal_url);
    database.urls = { app_rw: urlOf(at.app_url), app_portal: urlOf(at.portal_url), app_counter: urlOf(at.counter_url) };
    database.superuser_url = at.superuser_url.replace(/\/postgres(?=\?|$)/, `/${name}`);
    database.db = createDb({ connectionString: database.app_url, max: 40, ...PATIENT });
    database.owner = createDb({ connectionString: database.owner_url, max: 4, ...PATIENT });
  }, 900_000);
  afterAll(async () => {
    await database.db.close();
    await database.owner.close();
    await admin(inject('testDatabase').superuser_url, `drop database if exists ${name} with (force)`);
  });
  return database;
}

async function admin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
