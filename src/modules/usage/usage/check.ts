import type { EventProperties } from '../../../domain/rates/derived.ts';
import type { UsageCheckResult } from '../../../domain/usage/check.ts';
import { checkUsage } from '../../../engine/usage/check.ts';
import type { Context } from '../../../request/context.ts';
import { rejected, type TokenInput, tokensIn } from './track.ts';

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
  } & TokenInput,
): Promise<UsageCheckResult> {
  const { customerId, featureCode, quantity } = input;
  const tokens = tokensIn(input);
  const result = await checkUsage(ctx, {
    customerId: String(customerId),
    featureCode,
    request: {
      value: quantity === undefined || quantity === null ? null : BigInt(quantity),
      quantity: null,
      properties: input.properties ?? [],
      ...tokens,
    },
  });
  if ('code' in result) throw rejected(result, false);
  return result;
}
