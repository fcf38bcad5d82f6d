/** Tests near a change: those of its context, its package, or its folder at the root. */
const DEEP = /^(modules|packages|apps)\/[^/]+\//;
const FLAT = /^(db|tools|tests\/derived)\//;

/**
 * Folders, each ending in '/', whose tests `npm run test:changed` runs for these files. What every test builds on
 * (tests/support) has no tests near it; a file of the root has none either.
 */
export function foldersOf(files: readonly string[]): string[] {
  return [...new Set(files.flatMap((file) => DEEP.exec(file)?.[0] ?? FLAT.exec(file)?.[0] ?? []))].toSorted();
}
