/** Public interface of stock for other contexts: counts, pieces out and ordered. Invariants have their own file. */
export { enterMovements } from './movement/enter-movements.server.ts';
export { moveOrders } from './perusal/move-to-customer.server.ts';
export { parcelTasks } from './sales-order/parcel-tasks.server.ts';
export { hasMaterials, materialsDueBack, materialsOut, materialsShippedBy, materialsToOrder, piecesLeft }
  from './sales-order/pieces-out.server.ts';
export { cancelUnsent } from './sales-order/move-order.server.ts';
export { fillDays, moveReturns, moveShipping } from './sales-order/order-days.server.ts';
export { orderUnasked, type DraftedOrder } from './sales-order/order-license.server.ts';
export { orderedForLicense } from './sales-order/waiting-lines.server.ts';
