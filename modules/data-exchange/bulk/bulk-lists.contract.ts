/** Every list that offers something over many of its rows; a list that is missing here offers nothing to the server. */
import type { BulkList } from '#kit/bulk.ts';
import { transactionBulk } from '#modules/accounting/transaction/transaction.contract.ts';
import { addOnBulk, addOnTrashBulk } from '#modules/catalogue/add-on/add-on.contract.ts';
import { bomTemplateBulk, bomTemplateTrashBulk } from '#modules/catalogue/bom-template/bom-template.contract.ts';
import { materialBulk, materialTrashBulk } from '#modules/catalogue/material/material.contract.ts';
import { royaltorBulk, royaltorTrashBulk } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { salesItemBulk, salesItemTrashBulk } from '#modules/catalogue/sales-item/sales-item.contract.ts';
import { playBulk, playTrashBulk, musicalBulk, musicalTrashBulk } from '#modules/catalogue/show/show.contract.ts';
import { bankBulk, bankTrashBulk } from '#modules/banking/bank/bank.contract.ts';
import { bankAccountBulk, bankAccountTrashBulk } from '#modules/banking/bank-account/bank-account.contract.ts';
import { bankTransactionBulk, bankTransactionTrashBulk }
  from '#modules/banking/transaction/bank-transaction.contract.ts';
import { classificationBulk } from '#modules/customers/classification/classification.contract.ts';
import { customerBulk } from '#modules/customers/customer/customer.contract.ts';
import { inviteBulk } from '#modules/identity/invite/invite.contract.ts';
import { staffBulk } from '#modules/identity/staff/staff.contract.ts';
import { applicationBulk } from '#modules/licensing/applications/application.contract.ts';
import { boxOfficeBulk } from '#modules/licensing/box-office/box-office.contract.ts';
import { documentBulk } from '#modules/licensing/documents/license-document.contract.ts';
import { licenseBulk } from '#modules/licensing/licenses/license.contract.ts';
import { billBulk, billTrashBulk } from '#modules/payables/bill/bill.contract.ts';
import { vendorBulk, vendorTrashBulk } from '#modules/operations/vendor/vendor.contract.ts';
import { venueBulk, venueTrashBulk } from '#modules/operations/venue/venue.contract.ts';
import { invoiceBulk } from '#modules/receivables/invoices/invoice.contract.ts';
import { adjustmentBulk } from '#modules/royalties/advances/advance.contract.ts';
import { statementBulk } from '#modules/royalties/statements/statement.contract.ts';
import { perusalBulk } from '#modules/stock/perusal/perusal.contract.ts';
import { salesOrderBulk } from '#modules/stock/sales-order/sales-order.contract.ts';
import { warehouseBulk, warehouseTrashBulk } from '#modules/stock/warehouse/warehouse.contract.ts';

export const BULK_LISTS: readonly BulkList[] = [
  transactionBulk, addOnBulk, addOnTrashBulk, bomTemplateBulk, bomTemplateTrashBulk, materialBulk, materialTrashBulk,
  royaltorBulk, royaltorTrashBulk, salesItemBulk, salesItemTrashBulk, playBulk, playTrashBulk, musicalBulk,
  musicalTrashBulk, classificationBulk, customerBulk, inviteBulk, staffBulk, applicationBulk, boxOfficeBulk,
  documentBulk, licenseBulk, vendorBulk, vendorTrashBulk, billBulk, billTrashBulk, venueBulk, venueTrashBulk,
  invoiceBulk, adjustmentBulk,
  statementBulk, perusalBulk, salesOrderBulk, warehouseBulk, warehouseTrashBulk, bankBulk,
  bankTrashBulk, bankAccountBulk, bankAccountTrashBulk, bankTransactionBulk, bankTransactionTrashBulk,
];
