import type { Context } from '../../context.ts';
import { taxedAmounts } from '../../domain/payment/payment.ts';
import type { PaymentStatus } from '../../domain/payment/rows.ts';
import { loadTaxRegistrations } from '../../engine/load-taxes.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { type PaymentRow, requirePayment } from '../payments/service.ts';

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
};

/** What the payer does next. */
export type PaymentLinkStep = 'pay' | 'authenticate' | 'wait' | 'none';

/** The payment the caller's page token stands for. Throws for other callers: access lets none of them through. */
export function linkSubject(context: Context): string {
  if (context.caller.kind !== 'page') throw new Error('A payment link was asked for without its token.');
  return context.caller.subjectId;
}

/**
 * Reads what the page shows of the link the caller's token stands for; while it can be paid, with the tax of a place the payer has named
 * (PAY-4). Writes nothing. Throws `payment_not_found`.
 */
export async function loadLink(context: Context, place: Place = {}): Promise<PaymentLinkState> {
  const payment = await requirePayment(context, linkSubject(context));
  const customer = payment.customerId === null ? null : await loadRow(context, 'Customer', payment.customerId);
  const country = place.country ?? customer?.country ?? null;
  if (stepOf({ payment }) !== 'pay' || place.country == null) return { payment, customer, country };
  return { payment: { ...payment, ...(await amountsAt(context, payment.subtotalMinor, place)) }, customer, country };
}

/** Tax and total for a payer at a place; nothing of them where the place does not tell the tax, which is said when it is to be paid. */
async function amountsAt(context: Context, subtotalMinor: bigint, { country = null, state = null, taxDocument = null }: Place) {
  const tax = context.app.tax({
    country,
    region: state,
    taxDocument,
    at: context.clock.now(),
    sellerCountry: context.environment.organizationCountry,
    registrations: await loadTaxRegistrations(context),
  });
  return 'failure' in tax ? {} : taxedAmounts(subtotalMinor, tax);
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
export const stepOf = ({ payment }: Pick<PaymentLinkState, 'payment'>): PaymentLinkStep => steps[payment.status];
