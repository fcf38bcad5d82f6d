/** What other contexts may ask of the stock: its sentences for the integrity report, and the daily walk of orders. */
export { enterMovements } from './movement/enter-movements.server.ts';
export { STOCK_INVARIANTS } from './stock-invariants.server.ts';
