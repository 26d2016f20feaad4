import type { FaultyFile } from '../fault.ts';

/** Faults to plant in the code for dunning, refunds, disputes, payouts, and offers. */
export const payments: readonly FaultyFile[] = [
  {
    file: 'src/domain/payments/dunning.ts',
    tests: ['test/domain/subscription/dunning.test.ts'],
    faults: [
      {
        fault: 'Retries a failed payment in the wrong order.',
        source: '[1, 3, 5, 7]',
        replacement: '[1, 3, 7, 5]',
      },
      {
        fault: 'Never runs out of retries.',
        source: 'retriesLeft(attempts, terms) > 0 ? attempts + 1 : null',
        replacement: 'attempts + 1',
      },
    ],
  },
  {
    file: 'src/domain/limits/system-operations.ts',
    tests: ['test/domain/subscription'],
    faults: [
      {
        fault: 'Allows a payer one attempt above the limit.',
        source: "['payer_retry', 'recovery_pay'], hour, 10n",
        replacement: "['payer_retry', 'recovery_pay'], hour, 11n",
      },
    ],
  },
  {
    file: 'src/domain/payments/funds.ts',
    tests: ['test/domain/funds.test.ts'],
    faults: [
      {
        fault: 'Pays the collected tax to the merchant.',
        source: "grossUsdMinor - feeUsdMinor - (provider === 'platform' ? (taxUsdMinor ?? 0n) : 0n)",
        replacement: 'grossUsdMinor - feeUsdMinor',
      },
      {
        fault: 'Deducts the refunded tax from the merchant.',
        source: 'returnedOf(gross - (charge.taxUsdMinor ?? 0n), charge)',
        replacement: 'returnedOf(gross, charge)',
      },
      {
        fault: 'Freezes the refunded part of a disputed payment.',
        source: 'gross - returnedOf(gross, charge)',
        replacement: 'gross',
      },
    ],
  },
  {
    file: 'src/domain/payments/inquiry.ts',
    tests: ['test/domain/attempt.test.ts'],
    faults: [
      {
        fault: 'Schedules the next inquiry in the past.',
        source: '(Math.floor(elapsedMs / hourMs) + 1) * hourMs',
        replacement: 'Math.floor(elapsedMs / hourMs) * hourMs',
      },
    ],
  },
  {
    file: 'src/domain/payments/payment.ts',
    tests: ['test/domain/subscription/payments.test.ts'],
    faults: [
      {
        fault: 'Stores a card although the merchant never stores cards.',
        source: "saveCard !== 'never' && (agreed ?? saveCard === 'always')",
        replacement: "agreed ?? saveCard === 'always'",
      },
      {
        fault: 'Allows a second payer to pay during an authentication.',
        source: "payment.status === 'requires_action' && payment.payerId !== payerId",
        replacement: 'payment.payerId === undefined',
      },
    ],
  },
  {
    file: 'src/domain/payments/payout.ts',
    tests: ['test/domain/funds.test.ts'],
    faults: [
      {
        fault: 'Rejects a payout of the whole balance.',
        source: 'if (amountMinor <= availableMinor) return null;',
        replacement: 'if (amountMinor < availableMinor) return null;',
      },
      {
        fault: 'Counts Saturdays as business days.',
        source: 'instant.getUTCDay() % 6 === 0',
        replacement: 'instant.getUTCDay() === 0',
      },
    ],
  },
  {
    file: 'src/domain/payments/provider-request.ts',
    tests: ['test/domain/provider-request.test.ts'],
    faults: [
      {
        fault: 'Forgets the first request to a provider.',
        source: 'requestedAt: row.requestedAt ?? now',
        replacement: 'requestedAt: now',
      },
    ],
  },
  {
    file: 'src/domain/subscription/payments/charge-attempt.ts',
    tests: ['test/domain/attempt.test.ts'],
    faults: [
      {
        fault: 'Takes two equal results for a contradiction.',
        source: "(row.result.status === 'settled') !== (result.status === 'settled')",
        replacement: "(row.result.status === 'settled') === (result.status === 'settled')",
      },
      {
        fault: 'Never compares an unanswered attempt with the provider.',
        source: 'isDoubtful ? now : null',
        replacement: 'null',
      },
    ],
  },
  {
    file: 'src/domain/subscription/payments/refund.ts',
    tests: ['test/domain/subscription/refund.test.ts', 'test/domain/subscription/refundable.test.ts'],
    faults: [
      {
        fault: 'Marks a partly refunded payment as refunded.',
        source: "status: isFull ? 'refunded' : 'succeeded'",
        replacement: "status: 'refunded'",
      },
      {
        fault: 'Keeps a withdrawn credit after a declined refund.',
        source: 'if (isDeclined && row.revokedCreditId !== null)',
        replacement: 'if (!isDeclined && row.revokedCreditId !== null)',
      },
    ],
  },
  {
    file: 'src/domain/subscription/payments/refundable.ts',
    tests: ['test/domain/subscription/refundable.test.ts'],
    faults: [
      {
        fault: 'Refunds money that a plan change turned into used credit.',
        source: 'maxOf(0n, keptMinor - usedGross)',
        replacement: 'keptMinor',
      },
    ],
  },
  {
    file: 'src/domain/subscription/commands/transaction-refund.ts',
    tests: ['test/domain/subscription/refund.test.ts'],
    faults: [
      {
        fault: 'Refunds more than the rest of a payment.',
        source: 'if (amountMinor > maxMinor)',
        replacement: 'if (amountMinor > transaction.amountMinor)',
      },
    ],
  },
  {
    file: 'src/domain/offers/offer.ts',
    tests: ['test/domain/offer/promo-code.test.ts'],
    faults: [
      {
        fault: 'Applies an offer at the time of its end.',
        source: 'now >= offer.endsAt',
        replacement: 'now > offer.endsAt',
      },
    ],
  },
  {
    file: 'src/domain/offers/promo-code.ts',
    tests: ['test/domain/offer/promo-code.test.ts'],
    faults: [
      {
        fault: 'Allows one redemption above the limit.',
        source: 'redemptionCount >= maxRedemptions',
        replacement: 'redemptionCount > maxRedemptions',
      },
      {
        fault: 'Accepts a promo code at the time of its expiry.',
        source: 'expiresAt !== null && expiresAt <= now',
        replacement: 'expiresAt !== null && expiresAt < now',
      },
    ],
  },
  {
    file: 'src/domain/offers/terms.ts',
    tests: ['test/domain/offer/terms.test.ts'],
    faults: [
      {
        fault: 'Grants a discount for one period too many.',
        source: 'periodStart < new Date(endsAt)',
        replacement: 'periodStart <= new Date(endsAt)',
      },
      {
        fault: 'Deducts more than the price.',
        source: 'minOf(BigInt(phase.amount), baseMinor)',
        replacement: 'BigInt(phase.amount)',
      },
    ],
  },
  {
    file: 'src/domain/offers/card-promotion.ts',
    tests: ['test/domain/offer/card-promotion.test.ts'],
    faults: [
      {
        fault: 'Prefers the promotion of the shorter BIN.',
        source: '[bin.slice(0, 8), bin.slice(0, 6)]',
        replacement: '[bin.slice(0, 6), bin.slice(0, 8)]',
      },
    ],
  },
];
