/** Contract data of a frozen offer, besides the offer itself. */
import type { ContractClause } from '#kernel/licensing/contract-form.ts';

/** The text of a contract and what stands in it beside the offer; part of the frozen version, so the hash covers it. */
export interface OfferContract {
  template_id: number;
  version_no: number;
  /** Approved this version of the text; null: it is a draft. */
  counsel: string | null;
  clauses: ContractClause[];
  licensee: ContractContact | null;
  licensor: ContractContact | null;
  signatory: { name: string; title: string };
  ship_on: string | null;
  returns_due_on: string | null;
  materials: { name: string; quantity: number; return_required: boolean; replacement_price_minor: number | null }[];
  /** Before the run, net of tax, from the policy of the licence. */
  cancellation: { stage: 'before_shipment' | 'after_shipment'; kept_minor: number; refund_minor: number }[];
}
export interface ContractContact { name: string; email: string | null; phone: string | null }
