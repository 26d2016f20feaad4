import type { Context } from '../../context.ts';
import { taxedAmounts } from '../../domain/payments/payment.ts';
import type { PaymentStatus } from '../../domain/payments/rows.ts';
import { typedPayer } from '../../domain/subscription/invoicing/taxing.ts';
import type { Tax } from '../../domain/tax.ts';
import { loadSeller } from '../../engine/load-seller.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { connectionFor } from '../payment-connections/set-route.ts';
import type { ConnectionRow } from '../payment-connections/store.ts';
import { connectionOf } from '../payment-connections/store-method.ts';
import { awaitedAttempt, type PaymentRow, requirePayment } from '../payments/store.ts';

/** Where a payer is, for the tax of a link before it is paid. */
export type Place = {
  readonly country?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly taxDocument?: string | null | undefined;
};

/** Everything the page of a link shows, and nothing of anybody else. */
export type PaymentLinkState = {
  readonly payment: PaymentRow;
  /** Who is asked to pay; null on a link without customer until it is paid. */
  readonly customer: Row<'Customer'> | null;
  /** Where the payer is, as far as anybody has said. */
  readonly country: string | null;
  /** The tax in the amount while it can be paid; null where it is not known, and afterwards. */
  readonly tax: Tax | null;
};

/** What the payer does next. */
export type PaymentLinkStep = 'pay' | 'authenticate' | 'wait' | 'none';

/** The payment that the caller's page token names. Throws for other callers: access lets none of them through. */
export function linkSubject(ctx: Context): string {
  if (ctx.caller.kind !== 'page') throw new Error('A payment link was asked for without its token.');
  return ctx.caller.subjectId;
}

/**
 * Reads what the page shows of a link, that of the caller's token where none is named; while it can be paid, with the tax of the place the payer has named, else
 * of the customer (PAY-4). Writes nothing. Throws `payment_not_found`.
 */
export async function loadLink(
  ctx: Context,
  place: Place = {},
  paymentId = linkSubject(ctx),
): Promise<PaymentLinkState> {
  const payment = await requirePayment(ctx, paymentId);
  const customer = payment.customerId === null ? null : await loadRow(ctx, 'Customer', payment.customerId);
  const country = place.country ?? customer?.country ?? null;
  const tax = stepOf({ payment }) === 'pay' ? await taxAt(ctx, customer, place) : null;
  return {
    payment: tax === null ? payment : { ...payment, ...taxedAmounts(payment.subtotalMinor, tax) },
    customer,
    country,
    tax,
  };
}

/** The tax of a payer at a place; null where that does not tell it, which is said when it is to be paid. */
async function taxAt(
  ctx: Context,
  customer: Row<'Customer'> | null,
  { country, state, taxDocument }: Place,
): Promise<Tax | null> {
  const address = customer?.address ?? null;
  const known = { country: customer?.country ?? null, taxDocument: customer?.taxDocument ?? null, address };
  const billingAddress = country == null ? null : { country, state: state ?? null };
  const tax = ctx.app.tax({
    ...typedPayer(known, { billingAddress, taxDocument: taxDocument ?? null }),
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

/** What the payer does next; `wait` while the gateway has not answered. */
export const stepOf = ({ payment }: Pick<PaymentLinkState, 'payment'>): PaymentLinkStep =>
  steps[payment.status];

/**
 * The account that takes a payment at a link: the one it was made for by name, else the route of the billing country, else the default; null
 * for the platform's own processor (PAY-13).
 */
export const linkConnection = (
  ctx: Context,
  { namedProvider, connectionId }: Pick<PaymentRow, 'namedProvider' | 'connectionId'>,
  country: string | null,
): Promise<ConnectionRow | null> => connectionFor(ctx, { provider: namedProvider, connectionId }, country);

/** The account whose fields the page shows: while a payer has to confirm with its bank, the one the payment was begun at (PAY-14). */
export function shownConnection(
  ctx: Context,
  payment: PaymentRow,
  country: string | null,
): Promise<ConnectionRow | null> {
  const method = awaitedAttempt(payment)?.method ?? null;
  return method === null ? linkConnection(ctx, payment, country) : connectionOf(ctx, method);
}
