/** Reads a dot path: `valueAt({ lines: [{ amount: 5 }] }, 'lines.0.amount')` is 5. */
export function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined), values,
  );
}
