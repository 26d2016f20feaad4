// What can be asked of a customer's one-time payments.
import type { Address, MethodFacts } from '../subscription/rows.ts';
import type { PaymentTerms, Routing } from './payment.ts';

type Timed = { readonly dueAt: Date; readonly now: Date };

/** Makes a link for the customer to pay at (PAY-2). */
export type CreateLinkCommand = Timed &
  PaymentTerms & { readonly kind: 'payment.create'; readonly successUrl: string | null; readonly routing: Routing };

/**
 * The attempt whose authentication was given up before, and taken back where its gateway is reached over a network: it can take no money any
 * more. Null where none was.
 */
type GivenUp = { readonly givenUp: string | null };

/** Charges a stored method of the customer in its absence (PAY-7). */
export type ChargePaymentCommand = Timed & PaymentTerms & { readonly kind: 'payment.charge' };

/** Pays a link as this customer, by a method typed in at its page (PAY-8). */
export type PayLinkCommand = Timed &
  GivenUp & {
    readonly kind: 'payment.pay';
    readonly paymentId: string;
    readonly method: MethodFacts;
    readonly billingAddress: Address | null;
    readonly taxDocument: string | null;
  };

/** Ends an authentication the issuer asked for at the page of a link. */
export type AuthenticateLinkCommand = Timed & {
  readonly kind: 'payment.authenticate';
  readonly paymentId: string;
  readonly succeed: boolean;
};

/** Withdraws a link (PAY-5). */
export type CancelPaymentCommand = Timed & GivenUp & { readonly kind: 'payment.cancel'; readonly paymentId: string };

/** Everything that can be asked of one-time payments. */
export type PaymentCommand = CreateLinkCommand | ChargePaymentCommand | PayLinkCommand | AuthenticateLinkCommand | CancelPaymentCommand;
