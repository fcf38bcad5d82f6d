/** Targets of the links on the pages that pages.spec.ts opens, in any worker: read once all are opened. */
import { test } from '@playwright/test';
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageRow } from '#kit/page.ts';

const PREFIX = 'links-';
/** Emptied by the runner at the start of a run. */
const folderOf = (): string => test.info().project.outputDir;

export const isAddressOf = (row: PageRow, path: string): boolean =>
  new RegExp(`^${row.path.replaceAll(/:\w+/g, '[^/]+')}/?$`).test(path);

export function keepLinks(row: PageRow, links: readonly string[]): void {
  mkdirSync(folderOf(), { recursive: true });
  appendFileSync(join(folderOf(), `${PREFIX}${test.info().workerIndex}`),
    `${[row.path, ...new Set(links)].join(' ')}\n`);
}

/** The rows that were opened in this run, and the paths that any of them has a link to. */
export function keptLinks(): { opened: Set<string>; linked: Set<string> } {
  const lines = readdirSync(folderOf()).filter((name) => name.startsWith(PREFIX))
    .flatMap((name) => readFileSync(join(folderOf(), name), 'utf8').trim().split('\n'))
    .map((line) => line.split(' '));
  return { opened: new Set(lines.map(([path]) => path!)), linked: new Set(lines.flatMap(([, ...links]) => links)) };
}
