/** Differences between the pages of plays and of musicals: address, words and calls. */
import { useShownPath } from '#web/navigation/navigation.tsx';
import type { BulkList } from '#kit/bulk.ts';
import {
  musicalBulk, musicalEndpoints, musicalTrashBulk, playBulk, playEndpoints, playTrashBulk, type ShowType,
} from './show.contract.ts';

const FAMILIES = {
  play: { type: 'play', path: '/admin/plays', one: 'play', One: 'Play', many: 'plays', Many: 'Plays',
    calls: playEndpoints, bulk: playBulk, trashBulk: playTrashBulk },
  musical: { type: 'musical', path: '/admin/musicals', one: 'musical', One: 'Musical', many: 'musicals',
    Many: 'Musicals', calls: musicalEndpoints, bulk: musicalBulk, trashBulk: musicalTrashBulk },
} as const;

/** Both families answer the same shapes: their calls are typed as those of plays. */
export interface ShowFamily {
  type: ShowType;
  path: string;
  one: string;
  One: string;
  many: string;
  Many: string;
  calls: typeof playEndpoints;
  /** Bulk actions of the list, and of its trash. */
  bulk: BulkList;
  trashBulk: BulkList;
}

/** The family of the page on screen: one that is being left keeps its own. */
export function useFamily(): ShowFamily {
  return FAMILIES[useShownPath().startsWith('/admin/musicals') ? 'musical' : 'play'] as unknown as ShowFamily;
}
