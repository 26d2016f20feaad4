import { storedDecimal, useLimitAmount } from '../../parts/limits/amounts.ts';
import { useLimitWords } from '../../parts/limits/limit-words.ts';
import type { LimitTermsFragment } from '../../parts/limits/limits.graphql';
import { unitOf } from '../../parts/limits/unit-of.ts';

/** Decimal amount in the unit of a limit. */
export function LimitDecimal({
  limit,
  decimal,
}: {
  readonly limit: LimitTermsFragment;
  readonly decimal: string;
}) {
  return <>{useLimitAmount({ measure: limit.measure, unit: unitOf(limit) })(decimal)}</>;
}

/** Amount of a stored limit. */
export function StoredAmount({ limit }: { readonly limit: LimitTermsFragment }) {
  const words = useLimitWords();
  if (limit.amount === null) return words.noAmount;
  return <LimitDecimal limit={limit} decimal={storedDecimal(limit, limit.amount)} />;
}
