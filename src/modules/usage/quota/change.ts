import { validationError } from '../../../domain/errors/errors.ts';
import type { CountChange } from '../../../domain/subscription/commands/counts-change.ts';
import { changeCounts } from '../../../engine/counts.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer, requireCustomerByExternalId } from '../../customers/customers/store.ts';

/** Change to a quota count. Requires either `customerId` or `externalId`. */
export type ChangeQuotaInput = {
  readonly featureCode: string;
  /** ID or external ID of the customer. */
  readonly customerId?: string | number | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly count?: number | null | undefined;
};

/** Returns the customer ID for `customerId` or `externalId` (CON-36). Throws `validation_error` and `customer_not_found`. */
async function customerOf(ctx: Context, input: ChangeQuotaInput): Promise<string> {
  const customerId = input.customerId ?? null;
  const externalId = input.externalId ?? null;
  if (customerId !== null && externalId === null)
    return (await requireCustomer(ctx, String(customerId), 'customerId')).id;
  if (customerId !== null || externalId === null) {
    const message = 'Provide either customerId or externalId, not both.';
    throw validationError(['customerId', 'externalId'].map((field) => ({ field, message })));
  }
  return (await requireCustomerByExternalId(ctx, externalId)).id;
}

/**
 * Adds, removes or sets quota units immediately (CON-49). The count defaults to 1. If several checks fail, throws the error of the first
 * check (CON-35, CON-52).
 */
export async function changeQuota(
  ctx: Context,
  op: CountChange['op'],
  input: ChangeQuotaInput,
): Promise<Row<'CountEvent'>> {
  const customerId = await customerOf(ctx, input);
  const change = { featureCode: input.featureCode, op, count: BigInt(input.count ?? 1) };
  const [event] = await changeCounts(ctx, customerId, 'quota', [change]);
  if (event === undefined) throw new Error('A change has no event.');
  return event;
}
