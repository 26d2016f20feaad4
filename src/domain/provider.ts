import type { PaymentProvider } from './enums.ts';

/** What a gateway is asked to do: take money, only store and verify a method, or return money. */
export type ChargeRequest = {
  /**
   * Idempotency key of the attempt: the id of its transaction or refund, or an id without a row when only a
   * method is set up.
   */
  readonly transactionId: string;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  readonly kind: 'charge' | 'setup' | 'refund';
  /** The transaction whose money a refund returns. */
  readonly refundOf?: string;
  readonly provider: PaymentProvider;
  /** The method to charge or verify, or the one money returns to; empty when that is no longer stored. */
  readonly methodReference: string;
  /** Minor units of `currency`; 0 for a set-up. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** True while the payer is present at the first checkout of the method. */
  readonly isFirst: boolean;
  /**
   * True where the payer types the method in at another page than a checkout and can authenticate there;
   * absent everywhere else.
   */
  readonly isPresent?: true;
  /**
   * The security code typed in for a stored method, for the gateway to check: the code itself in the sandbox, at an
   * account of Stripe the token Stripe gave for it once, so that no code is stored. Absent for every other method.
   */
  readonly securityCode?: string;
};

/** Whether the payer is present and can authenticate. */
export const isPayerThere = ({ isFirst, isPresent }: Pick<ChargeRequest, 'isFirst' | 'isPresent'>): boolean =>
  isFirst || isPresent === true;

/** What an answer says of the payment at the provider: what it is called there, where that is not our id. */
type Referenced = { readonly reference?: string };

/**
 * The answer of a gateway. `unknown` means that no answer came: the attempt stays open and is never repeated
 * (BIL-32).
 */
export type ChargeResult =
  | ({ readonly status: 'settled' } & Referenced)
  | ({ readonly status: 'declined'; readonly declineCode: string; readonly message: string } & Referenced)
  | ({ readonly status: 'requires_action' } & Referenced)
  | { readonly status: 'unknown' };

/** The smallest amount worth charging, in US cents (BIL-35). */
export const minimumChargeUsdMinor = 50n;
