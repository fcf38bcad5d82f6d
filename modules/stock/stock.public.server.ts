/** What other contexts may ask of the stock: its sentences for the integrity report, and the daily walk of orders. */
export { STOCK_INVARIANTS } from './stock-invariants.server.ts';
