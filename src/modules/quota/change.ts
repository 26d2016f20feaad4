import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import type { CountChange } from '../../domain/subscription/commands/counts-change.ts';
import { changeCounts } from '../../engine/counts.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireCustomer, requireCustomerByExternalId } from '../customers/store.ts';

/** A change of a quota count, by a customer named in one of two ways. */
export type ChangeQuotaInput = {
  readonly featureCode: string;
  /** Our id, else the external id. */
  readonly customerId?: string | number | null | undefined;
  /** The external id, and nothing else. */
  readonly externalId?: string | null | undefined;
  readonly count?: number | null | undefined;
};

/** The id of the customer named by exactly one of the two (CON-36). Throws `validation_error` and `customer_not_found`. */
async function customerOf(ctx: Context, input: ChangeQuotaInput): Promise<string> {
  const customerId = input.customerId ?? null;
  const externalId = input.externalId ?? null;
  if (customerId !== null && externalId === null)
    return (await requireCustomer(ctx, String(customerId), 'customerId')).id;
  if (customerId !== null || externalId === null) {
    const message = 'Exactly one of customerId and externalId is needed.';
    throw validationError(['customerId', 'externalId'].map((field) => ({ field, message })));
  }
  return (await requireCustomerByExternalId(ctx, externalId)).id;
}

/** Adds, removes or sets units of a quota at once, 1 by default (CON-49). Throws the first reason against it (CON-35, CON-52). */
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
