/** Each kind of the inbox is decided at its record, too: a screen of its own context makes both calls. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { ROOT } from '../../tools/steps.ts';
import { APPROVAL_CALLS } from '#modules/approvals/approval-kinds.contract.ts';
import { APPROVAL_KINDS } from '#modules/approvals/approval.contract.ts';

interface Screen { path: string; text: string }
/** A call by the name of its group in a contract: 'yearEndEndpoints', 'decline' of year-end.contract.ts. */
interface Name { contract: string; group: string; call: string }

let screens: Screen[];
const names = new Map<AnyEndpoint, Name[]>();

beforeAll(async () => {
  screens = [];
  for await (const path of glob('modules/**/*.web.tsx', { cwd: ROOT })) {
    if (!path.startsWith('modules/approvals/')) screens.push({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') });
  }
  for await (const path of glob('modules/**/*.contract.ts', { cwd: ROOT })) {
    const groups = await import(pathToFileURL(`${ROOT}/${path}`).href) as Record<string, object | null>;
    for (const [group, calls] of Object.entries(groups)) {
      if (typeof calls !== 'object' || calls === null) continue;
      for (const [call, endpoint] of Object.entries(calls)) {
        if (typeof endpoint !== 'object' || endpoint === null || !('method' in endpoint)) continue;
        const one = endpoint as AnyEndpoint;
        names.set(one, [...names.get(one) ?? [], { contract: basename(path), group, call }]);
      }
    }
  }
});

/** By its name, or by handing on the group, as sections of bank details do. */
function makes({ text }: Screen, { contract, group, call }: Name): boolean {
  const imported = [...text.matchAll(/import \{([^}]*)\}\s*from '([^']+)'/g)]
    .filter(([, , from]) => basename(from!) === contract)
    .flatMap(([, list]) => [...list!.matchAll(new RegExp(`\\b${group}(?: as (\\w+))?`, 'g'))]
      .map((one) => one[1] ?? group));
  return imported.some((name) => new RegExp(`\\b${name}\\.${call}\\b|(endpoints=\\{|\\.\\.\\.)${name}\\b`).test(text));
}

test.each(APPROVAL_KINDS)('%s', (kind) => {
  for (const which of ['approve', 'decline'] as const) {
    const known = names.get(APPROVAL_CALLS[kind][which]) ?? [];
    expect(known, `${which} stands in a contract`).not.toEqual([]);
    expect(screens.filter((screen) => known.some((name) => makes(screen, name))).map(({ path }) => path),
      `${which} on a screen of the record`).not.toEqual([]);
  }
});
