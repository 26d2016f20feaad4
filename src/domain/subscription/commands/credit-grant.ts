import { usableMinor } from '../../lots/credits.ts';
import { minOf, rateToMinor } from '../../money/money.ts';
import type { CustomerCreditSource } from '../../rows/enums.ts';
import { addCredit, creditsOf } from '../invoicing/credits.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

type Input = Timed & {
  readonly creditId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly source: CustomerCreditSource;
  readonly reason: string;
  readonly expiresAt: Date | null;
};

/**
 * Returns the largest total credit in a currency, in minor units: the largest amount that an API response can represent
 * exactly, and that can be stored in ten-thousandths of the currency unit.
 */
const largestAmountIn = (currency: string): bigint =>
  minOf(BigInt(Number.MAX_SAFE_INTEGER), rateToMinor(9_000_000_000_000_000_000n, currency));

/**
 * Returns the largest credit that the customer could have in a currency. This is the usable amount, plus the credit
 * that voiding the open invoices would return.
 */
function largestPossibleCredit(draft: Draft, currency: string): bigint {
  const own = creditsOf(draft).filter(({ asset }) => asset === currency);
  const ids = new Set(own.map(({ id }) => id));
  const usable = own.reduce((sum, credit) => sum + usableMinor(credit, draft.now), 0n);
  return draft.creditUses.reduce((sum, use) => (ids.has(use.creditId) ? sum + use.amountMinor : sum), usable);
}

const reject = (draft: Draft, field: string, message: string): Decision =>
  draft.reject({ code: 'validation_error', message, param: field, details: [{ field, message }] });

/**
 * Grants a customer credit. Fails with `validation_error` if the credit is already expired, or if the
 * customer's total credit can't be represented in a response.
 */
export const creditGrant = customerCommand({
  kind: 'credit.grant',
  ignoresUsage: true,
  needs: () => ({}),
  decide(draft: Draft, command: Input): Decision {
    const { amountMinor, currency, source, reason, expiresAt } = command;
    if (expiresAt !== null && expiresAt <= draft.now)
      return reject(draft, 'expiresAt', 'The expiration time of a credit must be in the future.');
    const largestAmount = largestAmountIn(currency);
    if (largestPossibleCredit(draft, currency) + amountMinor > largestAmount) {
      return reject(
        draft,
        'amount',
        `The customer's credit in ${currency} would exceed the maximum of ${largestAmount} (in minor units).`,
      );
    }
    addCredit(draft, {
      id: command.creditId,
      amountMinor,
      currency,
      creditSource: source,
      sourceId: null,
      reason,
      expiresAt,
    });
    return draft.done('done', null);
  },
});
