import type { PlanChangePurchase } from './change-rows.ts';

/**
 * Purchase of a credit pack. `credits` is an amount in pool units of `asset`. `asset` is absent if the pack sells credits.
 * `validDays` is absent if the credits don't expire (PRM-142). `refundTakesBack` is absent if refunds don't change the lot
 * (PRM-23).
 */
export type CreditsPurchase = {
  readonly creditPackName: string;
  readonly credits: number;
  readonly asset?: string;
  readonly validDays?: number;
  readonly refundTakesBack?: true;
};

/** Charges that a prepaid commitment pays for: draws of usage on a pool, or usage lines of invoices (PRM-24). */
export type CommitmentUse = 'usage' | 'usage_lines';

/** Effect of the end of a term on the rest of a commitment: the rest expires, or stays for one more term. */
export type CommitmentEnd = 'expire' | 'roll_once';

/** Terms of a prepaid commitment (PRM-24). */
export type CommitmentTerms = {
  readonly appliesTo: CommitmentUse;
  /** Price of a term before tax, in minor units of the subscription's currency. */
  readonly price: number;
  /** Number of months in a term, from 1 to 60. */
  readonly validMonths: number;
  readonly atEnd: CommitmentEnd;
  /** True if the end of the term purchases the commitment again. */
  readonly autoRenew: boolean;
  /** Time from which the ends of terms are counted, and the number of the current term. */
  readonly anchor: string;
  readonly term: number;
  /**
   * True for the rest of a commitment that was purchased again, or whose renewal failed. `commitment.ended` isn't sent at
   * the end of the rest. Absent otherwise.
   */
  readonly isRest?: true;
};

/** Purchase of a prepaid commitment. `amount` is in pool units of `asset`, as an integer in text. */
export type CommitmentPurchase = {
  readonly commitment: Omit<CommitmentTerms, 'anchor' | 'term' | 'isRest'> &
    Partial<Pick<CommitmentTerms, 'anchor' | 'term'>> & {
      readonly asset: string;
      readonly amount: string;
      readonly description: string | null;
      /** ID of the commitment whose end caused the purchase. Absent if a request caused it. */
      readonly renews?: string;
      /** Amount of that commitment before its end, as an integer in text. Absent if a request caused the purchase. */
      readonly remaining?: string;
    };
};

/** Purchase that takes effect when its invoice is paid (BIL-22, SUB-43). */
export type Purchase =
  | CreditsPurchase
  | CommitmentPurchase
  | { readonly addonId: string }
  | PlanChangePurchase;

/** Period during which an add-on is active on a subscription. */
export type AddonActivationRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly subscriptionId: string;
  readonly addonId: string;
  readonly status: 'active' | 'inactive';
  /**
   * Price for the remaining billing period before tax, in minor units of the subscription's currency
   * (SUB-71).
   */
  readonly proratedMinor: bigint;
  readonly invoiceId: string | null;
  readonly createdAt: Date;
  readonly deactivatedAt: Date | null;
  /**
   * End of the paid days (exclusive). Set at activation and deactivation (SUB-73). `null` if the charge
   * failed or was refunded.
   */
  readonly paidUntil: Date | null;
};
