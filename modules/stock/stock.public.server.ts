/** What other contexts may ask of the stock: its sentences for the integrity report, entering a count, what is out. */
export { enterMovements } from './movement/enter-movements.server.ts';
export { materialsOut } from './sales-order/pieces-out.server.ts';
export { STOCK_INVARIANTS } from './stock-invariants.server.ts';
