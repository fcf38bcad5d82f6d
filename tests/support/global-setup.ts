/** Starts the cluster and the template once for a vitest run; tests read both from the environment. */
import type { TestProject } from 'vitest/node';
import { ensureTemplate, startCluster } from './cluster.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  const template = await ensureTemplate(cluster).catch(async (error: unknown) => {
    await cluster.stop();
    throw error;
  });
  project.provide('testDatabase', {
    template,
    clone_clause: cluster.cloneClause,
    superuser_url: cluster.urlFor('postgres', cluster.superuser),
    owner_url: cluster.urlFor('DATABASE', 'app_migrate'),
    app_url: cluster.urlFor('DATABASE', 'app_rw'),
    portal_url: cluster.urlFor('DATABASE', 'app_portal'),
    counter_url: cluster.urlFor('DATABASE', 'app_counter'),
  });
  return () => cluster.stop();
}

declare module 'vitest' {
  interface ProvidedContext {
    testDatabase: {
      template: string;
      /** Clause that makes a database of it (Cluster.cloneClause). */
      clone_clause: string;
      superuser_url: string;
      /** The word DATABASE stands for the name of the test's own database. */
      owner_url: string;
      app_url: string;
      portal_url: string;
      counter_url: string;
    };
  }
}
