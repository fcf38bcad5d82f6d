import type { Browser } from './app.ts';

/** Every page of a list. The address ends with `?` or with a filter. */
export async function allRows<T>(reader: Browser, address: string): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await reader.get(`${address}&per_page=100&page=${page}`);
    rows.push(...body.data as T[]);
    if (page >= body.meta.last_page) return rows;
  }
}
