import type { Context } from '../../context.ts';
import type { Metadata } from '../../domain/subscription/state/rows.ts';
import { executeOne } from '../../engine/execute.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireCustomer } from '../customers/store.ts';
import { requireInvoice } from './store.ts';

/** A correction: minor units of the currency of the invoice it corrects, else of the customer's subscription, else of USD; not 0, negative for a credit. */
export type AdjustmentInput = {
  readonly customerId: string;
  readonly amount: number;
  readonly description: string;
  /** Id of the invoice a credit corrects. */
  readonly invoiceId?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
};

/**
 * Issues an adjustment (BIL-23) and answers it. The customer is the lock root, with or without a subscription. Throws `customer_not_found`,
 * and `validation_error` where a credit cannot correct the invoice it names.
 */
export async function adjustCustomer(ctx: Context, input: AdjustmentInput): Promise<Row<'Invoice'>> {
  const { id } = await requireCustomer(ctx, input.customerId, 'customerId');
  const { invoiceId } = await executeOne(ctx, id, {
    kind: 'invoice.adjust',
    amountMinor: BigInt(input.amount),
    description: input.description,
    correctsInvoiceId: input.invoiceId ?? null,
    // Checked to be a JSON object where it came in.
    metadata: (input.metadata ?? {}) as Metadata,
  });
  if (invoiceId === null) throw new Error('An adjustment has no invoice.');
  return requireInvoice(ctx, invoiceId);
}
