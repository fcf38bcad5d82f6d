/** Every list that offers something over many of its rows; a list that is missing here offers nothing to the server. */
import type { BulkList } from '#kit/bulk.ts';
import { venueBulk, venueTrashBulk } from '#modules/operations/venue/venue.contract.ts';

export const BULK_LISTS: readonly BulkList[] = [
  venueBulk, venueTrashBulk,
];
