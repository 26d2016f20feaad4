import { numberText } from '../../../domain/rates/decimal.ts';
import type { EventProperties } from '../../../domain/rates/derived.ts';
import type { UsageCheckResult } from '../../../domain/usage/check.ts';
import { checkUsage } from '../../../engine/usage/check.ts';
import type { Context } from '../../../request/context.ts';
import { rejected, type TokenInput, tokensIn } from './track.ts';

/** Returns a quantity as whole units, or as a decimal. The meter of the feature determines which decimals are valid. */
function quantityIn(quantity: number | null): {
  readonly value: bigint | null;
  readonly quantity: string | null;
} {
  if (quantity === null) return { value: null, quantity: null };
  return Number.isInteger(quantity)
    ? { value: BigInt(quantity), quantity: null }
    : { value: null, quantity: numberText(quantity) };
}

/**
 * Checks whether a customer can currently use a quantity of a feature. Throws if the customer, subscription, feature,
 * or price doesn't exist.
 */
export async function usageCheck(
  ctx: Context,
  input: {
    readonly customerId: string | number;
    readonly featureCode: string;
    readonly quantity?: number | null | undefined;
    readonly properties?: EventProperties | null | undefined;
    readonly budget?: string | null | undefined;
  } & TokenInput,
): Promise<UsageCheckResult> {
  const { customerId, featureCode } = input;
  const tokens = tokensIn(input);
  const result = await checkUsage(ctx, {
    customerId: String(customerId),
    featureCode,
    budget: input.budget ?? null,
    request: {
      ...quantityIn(input.quantity ?? null),
      properties: input.properties ?? [],
      ...tokens,
    },
  });
  if ('code' in result) throw rejected(result, false);
  return result;
}
