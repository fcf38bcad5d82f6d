/** What other contexts may ask of the stock: sentences for the integrity report, counts, what is out and ordered. */
export { enterMovements } from './movement/enter-movements.server.ts';
export { materialsOut, materialsShippedBy } from './sales-order/pieces-out.server.ts';
export { orderedForLicense } from './sales-order/waiting-lines.server.ts';
export { STOCK_INVARIANTS } from './stock-invariants.server.ts';
