/** A performance as the portal reads it: it sends no version, as a customer asks for changes and never edits. */
import type { PerformanceRow } from '#modules/licensing/licenses/performances/performance.contract.ts';

export type Performance = Omit<PerformanceRow, 'version'>;
