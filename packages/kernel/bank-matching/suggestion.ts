/** The answer of matching: suggestions in their order, and the decision about an automatic match. */
import type { OpenItem } from './open-item.ts';
import type { Reason } from './score.ts';

/**
 * whole: line and document settle each other. combined: several documents and the whole line. fee: the document is
 * settled, the difference is a fee. part: the document stays open in part. rest: the line stays open in part.
 * exchange: a document in another currency is settled, the difference is one of exchange. discount: the document is
 * settled, the difference is its early-payment discount.
 */
export const MATCH_SHAPES = ['whole', 'discount', 'combined', 'exchange', 'fee', 'part', 'rest'] as const;
export type MatchShape = (typeof MATCH_SHAPES)[number];

export interface MatchedItem {
  item: OpenItem;
  /** Settled of the item, in the item's currency; never more than it has open. */
  applied_minor: bigint;
  /** The same in the currency of the line; negative for a credit that reduces the payment. */
  line_minor: bigint;
}

export interface Suggestion {
  shape: MatchShape;
  score: number;
  reasons: Reason[];
  /** "Amount and invoice number agree; 2 days apart". */
  summary: string;
  items: MatchedItem[];
  /** Fee, discount or exchange difference, in the currency of the line; 0 for the other shapes. */
  difference_minor: bigint;
  /** Amount of the line that stays open, without sign. */
  left_minor: bigint;
  /** False for what only its reference brought, of a date too far away to be matched by itself. */
  in_window: boolean;
}

export interface MatchAnswer {
  /** 60 points and more, the best first. */
  suggestions: Suggestion[];
  /** Below 60: where to begin a search, not a proposal. */
  others: Suggestion[];
  auto: AutoDecision;
  /** Items, parties and steps of combining that were looked at. */
  comparisons: number;
}

export type AutoRefusalCode = 'nothing_left' | 'part_matched' | 'no_candidate' | 'score_low' | 'amount_differs'
  | 'outside_window' | 'other_number' | 'runner_up' | 'too_many' | 'item_shared';

export interface AutoRefusal {
  code: AutoRefusalCode;
  message: string;
}

export type AutoDecision = { match: Suggestion; refusal: null } | { match: null; refusal: AutoRefusal };
