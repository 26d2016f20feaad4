import type { Context } from '../../context.ts';
import type { Metadata } from '../../domain/subscription/rows.ts';
import { executeOne } from '../../engine/execute.ts';
import type { Row } from '../../infra/rows.ts';
import { requireCustomer } from '../customers/service.ts';
import { requireInvoice } from './service.ts';

/** A correction: minor units of the currency of the customer's subscription, else of USD; not 0, negative for a credit. */
export type AdjustmentInput = {
  readonly customerId: string;
  readonly amount: number;
  readonly description: string;
  readonly metadata?: Record<string, unknown> | null | undefined;
};

/**
 * Issues an adjustment (BIL-23) and answers it. The customer is the lock root, with or without a subscription. Throws `customer_not_found`.
 */
export async function adjustCustomer(context: Context, input: AdjustmentInput): Promise<Row<'Invoice'>> {
  const { id } = await requireCustomer(context, input.customerId, 'customerId');
  const { invoiceId } = await executeOne(context, id, {
    kind: 'invoice.adjust',
    amountMinor: BigInt(input.amount),
    description: input.description,
    // Checked to be a JSON object where it came in.
    metadata: (input.metadata ?? {}) as Metadata,
  });
  if (invoiceId === null) throw new Error('An adjustment has no invoice.');
  return requireInvoice(context, invoiceId);
}
