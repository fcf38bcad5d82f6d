/** Each reader is told of the reports that are open to them. */
import { describe, expect, test } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { REPORTS } from './report-list.ts';

describe('reports', () => {
  const app = testApp();

  test('a clerk is told of the reports that their rights open', async () => {
    const clerk = await app.signedIn('staff_user', { permissions: ['export.download', 'invoice.list'] });
    const { body } = await clerk.get('/api/admin/staff/reporting');
    expect(body.data.map((row: { key: string }) => row.key)).toEqual(['aging']);
    expect(Object.keys(body.data[0])).not.toContain('permission');
    const admin = await app.signedIn('staff_admin');
    expect((await admin.get('/api/admin/staff/reporting')).body.data).toHaveLength(REPORTS.length);
  });
});
