/** Keyboard actions of the reader; pure. */

/** Per cent of the column. */
export const ZOOMS: readonly number[] = [50, 75, 100, 125, 150, 200];

export interface KeyPress { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; target: unknown }
interface Place { page: number; pages: number;
  /** Index in {@link ZOOMS}. */
  zoom: number }
interface KeyAction { page?: number; zoom?: number; text?: true }

/** Keys typed into a field, and those of the browser (Ctrl +), are not ours. */
export function keyOf(press: KeyPress, { page, pages, zoom }: Place): KeyAction | null {
  const tag = (press.target as { tagName?: string } | null)?.tagName ?? '';
  if (press.ctrlKey || press.metaKey || press.altKey || ['INPUT', 'TEXTAREA', 'SELECT'].includes(tag)) return null;
  switch (press.key) {
    case 'ArrowRight':
    case 'PageDown': return page < pages ? { page: page + 1 } : null;
    case 'ArrowLeft':
    case 'PageUp': return page > 1 ? { page: page - 1 } : null;
    case 'Home': return { page: 1 };
    case 'End': return { page: pages };
    case '+':
    case '=': return zoom < ZOOMS.length - 1 ? { zoom: zoom + 1 } : null;
    case '-': return zoom > 0 ? { zoom: zoom - 1 } : null;
    case 't':
    case 'T': return { text: true };
    default: return null;
  }
}
