import { taxedAmounts } from '../../../domain/payments/payment.ts';
import type { PaymentStatus } from '../../../domain/rows/payment-rows.ts';
import { isPush } from '../../../domain/subscription/invoicing/push-terms.ts';
import { enteredPayer } from '../../../domain/subscription/invoicing/taxing.ts';
import type { Tax } from '../../../domain/tax/tax.ts';
import { loadSeller } from '../../../engine/load/seller.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { connectionFor } from '../../payments/connections/set-route.ts';
import type { ConnectionRow } from '../../payments/connections/store.ts';
import { connectionOf } from '../../payments/connections/store-method.ts';
import { awaitedAttempt, type PaymentRow, requirePayment } from '../../payments/payments/store.ts';

/** Location of a payer, used to calculate the tax before payment. */
export type Place = {
  readonly country?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly taxDocument?: string | null | undefined;
};

/** State of a payment link as shown on the link's page. */
export type PaymentLinkState = {
  readonly payment: PaymentRow;
  /** Customer who pays. `null` if the link has no customer and no payment. */
  readonly customer: Row<'Customer'> | null;
  /** Country of the payer. `null` if it's unknown. */
  readonly country: string | null;
  /** Tax on the amount of the payment link. `null` if the tax is unknown or the link doesn't accept payments. */
  readonly tax: Tax | null;
  /** Pending payment that the payer starts. `null` if no payment is pending. */
  readonly collection: Row<'Transaction'> | null;
};

export type PaymentLinkStep = 'pay' | 'authenticate' | 'wait' | 'none';

/** Returns the payment ID of the caller's page token. Throws for other callers, which the access rules already reject. */
export function linkSubject(ctx: Context): string {
  if (ctx.caller.kind !== 'page') throw new Error('A payment link was requested without its token.');
  return ctx.caller.subjectId;
}

/**
 * Loads the state of a payment link. Defaults to the caller's link. If the link accepts payments, includes the tax for
 * the given location, falling back to the customer's location (PAY-4). Stores nothing. Throws `payment_not_found`.
 */
export async function loadLink(
  ctx: Context,
  place: Place = {},
  paymentId = linkSubject(ctx),
): Promise<PaymentLinkState> {
  const payment = await requirePayment(ctx, paymentId);
  const customer = payment.customerId === null ? null : await loadRow(ctx, 'Customer', payment.customerId);
  const country = place.country ?? customer?.country ?? null;
  const collection = await pendingOf(ctx, payment);
  const tax = stepOf({ payment, collection }) === 'pay' ? await taxAt(ctx, customer, place) : null;
  return {
    collection,
    payment: tax === null ? payment : { ...payment, ...taxedAmounts(payment.subtotalMinor, tax) },
    customer,
    country,
    tax,
  };
}

/** Returns the pending payment that the payer of a link starts. `null` if no payment is pending. */
async function pendingOf(ctx: Context, { attempt }: PaymentRow): Promise<Row<'Transaction'> | null> {
  const isInstructed = attempt?.method != null && isPush(attempt.method);
  return isInstructed && attempt.transactionId !== null
    ? loadRow(ctx, 'Transaction', attempt.transactionId)
    : null;
}

/** Returns the tax for a payer at a location. `null` if the location is incomplete; a payment then fails and reports the missing data. */
async function taxAt(
  ctx: Context,
  customer: Row<'Customer'> | null,
  { country, state, taxDocument }: Place,
): Promise<Tax | null> {
  const address = customer?.address ?? null;
  const known = { country: customer?.country ?? null, taxDocument: customer?.taxDocument ?? null, address };
  const billingAddress = country == null ? null : { country, state: state ?? null };
  const tax = ctx.app.tax({
    ...enteredPayer(known, { billingAddress, taxDocument: taxDocument ?? null }),
    at: ctx.clock.now(),
    sellerCountry: ctx.environment.organizationCountry,
    registrations: (await loadSeller(ctx)).taxRegistrations,
  });
  return 'failure' in tax ? null : tax;
}

const steps: { readonly [status in PaymentStatus]: PaymentLinkStep } = {
  pending: 'pay',
  failed: 'pay',
  processing: 'wait',
  requires_action: 'authenticate',
  succeeded: 'none',
  canceled: 'none',
};

/** Returns the payer's next step, such as `wait` while the payment provider hasn't responded. */
export const stepOf = ({
  payment,
  collection,
}: Pick<PaymentLinkState, 'payment' | 'collection'>): PaymentLinkStep =>
  // The payer can still choose another way to pay while the instructions can be followed.
  collection?.stage === 'awaiting_payer' ? 'pay' : steps[payment.status];

/**
 * Returns the account that collects a link's payment: the requested account, falling back to the route for the billing country and then to
 * the default. `null` means the platform's payment provider (PAY-13).
 */
export const linkConnection = (
  ctx: Context,
  { namedProvider, connectionId }: Pick<PaymentRow, 'namedProvider' | 'connectionId'>,
  country: string | null,
): Promise<ConnectionRow | null> => connectionFor(ctx, { provider: namedProvider, connectionId }, country);

/**
 * Returns the account whose card fields the page shows. During an authentication, returns the account that started the
 * payment (PAY-14).
 */
export function shownConnection(
  ctx: Context,
  payment: PaymentRow,
  country: string | null,
): Promise<ConnectionRow | null> {
  const method = awaitedAttempt(payment)?.method ?? null;
  return method === null ? linkConnection(ctx, payment, country) : connectionOf(ctx, method);
}
