import { validationError } from '../../../domain/errors/errors.ts';
import type { EventProperties } from '../../../domain/rates/derived.ts';
import type { UsageCheckResult } from '../../../domain/usage/check.ts';
import { checkUsage } from '../../../engine/usage/check.ts';
import type { Context } from '../../../request/context.ts';
import { rejected, type TokenInput, tokensIn } from './track.ts';

/**
 * Returns a quantity as whole units, or as a decimal. Throws `validation_error` if a whole number is out of range. The meter of
 * the feature determines which decimals are valid.
 */
function quantityIn(text: string | null): {
  readonly value: bigint | null;
  readonly quantity: string | null;
} {
  if (text === null || !/^-?\d+$/.test(text)) return { value: null, quantity: text };
  const value = BigInt(text);
  const reject = (message: string) => validationError([{ field: 'quantity', message }]);
  if (value < 1n) throw reject('must be at least 1');
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw reject(`must be at most ${Number.MAX_SAFE_INTEGER}`);
  return { value, quantity: null };
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
    readonly quantity?: string | null | undefined;
    readonly properties?: EventProperties | null | undefined;
  } & TokenInput,
): Promise<UsageCheckResult> {
  const { customerId, featureCode } = input;
  const tokens = tokensIn(input);
  const result = await checkUsage(ctx, {
    customerId: String(customerId),
    featureCode,
    request: {
      ...quantityIn(input.quantity ?? null),
      properties: input.properties ?? [],
      ...tokens,
    },
  });
  if ('code' in result) throw rejected(result, false);
  return result;
}
