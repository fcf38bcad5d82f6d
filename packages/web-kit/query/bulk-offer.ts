/** Bulk actions a list allows this person on its rows; the list as the server knows it. */
import type { BulkAction, BulkList } from '#kit/bulk.ts';
import type { ExportSource } from '#web/data/export-fields.ts';

export interface BulkOffer { list: BulkList; actions: readonly BulkAction[]; source: ExportSource }
