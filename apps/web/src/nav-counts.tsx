/**
 * Open counts beside the navigation's items (picture 01). Each uses the read behind the first tab of its list, so that
 * both show the same and refresh together: in the division of the address, for people who may open the list.
 */
import { useEffect } from 'react';
import type { Permission } from '#kit/permission.ts';
import type { CallArgs } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { applicationEndpoints } from '#modules/licensing/applications/application.contract.ts';
import { licenseEndpoints } from '#modules/licensing/licenses/license.contract.ts';
import { OPEN_APPLICATIONS, OPEN_PRODUCTIONS, OPEN_QUOTES } from '#modules/licensing/open-items-filter.web.ts';
import { perusalEndpoints } from '#modules/stock/perusal/perusal.contract.ts';
import { totalText } from '#web/data/total-text.ts';
import { DIVISION_PARAMETER, readDivision } from '#web/layout/division.ts';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { NavFigures } from './navigation.ts';

interface CountAnswer { meta?: { total: number; total_is_exact?: boolean } }

function useFigure<E extends AnyEndpoint>(list: E, permission: Permission | null, query: object): string | undefined {
  const may = useMay();
  const read = useEndpoint(list, { query: { ...query, per_page: 1 } } as unknown as CallArgs<E>,
    { enabled: permission === null || may(permission) });
  const meta = (read.data as CountAnswer | undefined)?.meta;
  return meta && meta.total > 0 ? totalText(meta) : undefined;
}

export default function NavCounts({ onCounts }: { onCounts: (counts: NavFigures) => void }) {
  const given = useQueryValues().values.get(DIVISION_PARAMETER);
  const division = readDivision(given);
  const applications = useFigure(applicationEndpoints.list, 'license_application.list',
    { division, status: OPEN_APPLICATIONS });
  const quotes = useFigure(licenseEndpoints.list, 'license.list', { division, phase: OPEN_QUOTES });
  const productions = useFigure(licenseEndpoints.list, 'license.list', { division, phase: OPEN_PRODUCTIONS });
  // Their list is of all divisions unless one is asked for.
  const perusals = useFigure(perusalEndpoints.list, 'license_material.list',
    { status: 'requested', ...(given !== null && { division }) });
  const approvals = useFigure(approvalEndpoints.list, null, given === null ? {} : { division });
  useEffect(() => onCounts({ '/admin/approvals': approvals, '/admin/applications': applications,
    '/admin/quotes': quotes, '/admin/productions': productions, '/admin/perusals': perusals }),
  [onCounts, approvals, applications, quotes, productions, perusals]);
  return null;
}
