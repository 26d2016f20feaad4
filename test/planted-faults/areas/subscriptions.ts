import type { FaultyFile } from '../fault.ts';

/** Faults to plant in the code for renewals, trials, plan changes, deadlines, and merged changes. */
export const subscriptions: readonly FaultyFile[] = [
  {
    file: 'src/domain/subscription/lifecycle/dunning.ts',
    tests: ['test/domain/subscription/dunning.test.ts'],
    faults: [
      {
        fault: 'Keeps a subscription past due after the last retry.',
        source: 'retriesLeft(slot, consumed.retryTerms) === 0',
        replacement: 'retriesLeft(slot, consumed.retryTerms) < 0',
      },
      {
        fault: 'Keeps the remaining retries after a payment.',
        source: "if (kind === 'dunning_retry') draft.unschedule(id);\n  draft.release",
        replacement: 'void [kind, id];\n  draft.release',
      },
    ],
  },
  {
    file: 'src/domain/subscription/lifecycle/end-subscription.ts',
    tests: [
      'test/domain/subscription/mark.test.ts',
      'test/domain/subscription/cancel.test.ts',
      'test/domain/subscription/reactivate.test.ts',
    ],
    faults: [
      {
        fault: 'Voids the open invoices of other subscriptions.',
        source: 'if (invoice.subscriptionId === id && isOpen && !isDebited && !isLeft)',
        replacement: 'if (isOpen && !isDebited && !isLeft)',
      },
      {
        fault: 'Keeps the deadlines of a canceled subscription.',
        source: 'if (!isKept) draft.unschedule(row.id);',
        replacement: '',
      },
      {
        fault: 'Keeps the offers of a canceled subscription.',
        source: 'endOffers(draft, subscription);',
        replacement: '',
      },
    ],
  },
  {
    file: 'src/domain/subscription/lifecycle/trial.ts',
    tests: ['test/domain/subscription/trial.test.ts'],
    faults: [
      {
        fault: 'Ends a trial a day late.',
        source: 'addDays(start, quotedTrialDays(draft, subscription))',
        replacement: 'addDays(start, quotedTrialDays(draft, subscription) + 1)',
      },
      {
        fault: 'Opens a usage window beyond the end of the trial.',
        source: "earlier(boundary(start, 'monthly', 1), trialEndsAt)",
        replacement: "boundary(start, 'monthly', 1)",
      },
    ],
  },
  {
    file: 'src/domain/subscription/lifecycle/renewal.ts',
    tests: ['test/domain/subscription/credits.test.ts', 'test/domain/subscription/addons.test.ts'],
    faults: [
      {
        fault: 'Carries over the rest of an invoice that used a credit.',
        source: 'invoice.total > 0n && invoice.creditApplied === 0n',
        replacement: 'invoice.total > 0n',
      },
      {
        fault: 'Starts dunning for the unpaid add-ons of a free plan.',
        source: 'if (planOf(draft, subscription).isFree) endUnpaidAddons',
        replacement: "if (subscription.status === 'canceled') endUnpaidAddons",
      },
    ],
  },
  {
    file: 'src/domain/subscription/schedule/notices.ts',
    tests: ['test/domain/subscription/change-waiting.test.ts'],
    faults: [
      {
        fault: 'Announces a renewal a day late.',
        source: 'const noticeDays = 3;',
        replacement: 'const noticeDays = 2;',
      },
    ],
  },
  {
    file: 'src/domain/subscription/schedule/periods.ts',
    tests: ['test/domain/subscription/cycle.test.ts', 'test/domain/subscription/trial.test.ts'],
    faults: [
      {
        fault: 'Moves the billing day for good after a short month.',
        source: 'cadence.isTurn || !isOnGrid(present, interval, at) ? at : present',
        replacement: 'at',
      },
      {
        fault: 'Continues a usage window after the end of the trial.',
        source: 'limit === null ? end : earlier(limit, end)',
        replacement: 'end',
      },
    ],
  },
  {
    file: 'src/domain/subscription/plan-change/change-amounts.ts',
    tests: ['test/domain/subscription/change-plan.test.ts'],
    faults: [
      {
        fault: 'Credits the unused days of a one-time purchase.',
        source: "&& billingInterval !== null && billingInterval !== 'one_time';",
        replacement: '&& billingInterval !== null;',
      },
      {
        fault: 'Truncates the credit for unused days.',
        source: 'divideRounded(baseMinor * BigInt(days.daysRemaining), BigInt(days.totalDays))',
        replacement: '(baseMinor * BigInt(days.daysRemaining)) / BigInt(days.totalDays)',
      },
      {
        fault: 'Leaves too little credit after a discounted plan change.',
        source: 'BigInt(creditMinor) - (subtotal - discountAmount)',
        replacement: 'BigInt(creditMinor) - subtotal',
      },
    ],
  },
  {
    file: 'src/domain/subscription/plan-change/change-direction.ts',
    tests: ['test/domain/subscription/change-plan.test.ts'],
    faults: [
      {
        fault: 'Schedules a change to a longer interval.',
        source: "longer > 0 ? 'immediate' : 'scheduled'",
        replacement: "longer > 0 ? 'scheduled' : 'immediate'",
      },
      {
        fault: 'Schedules a change to a lower one-time plan, which is never renewed.',
        source: "return target.interval === 'one_time' ? 'refused' : 'scheduled';",
        replacement: "return 'scheduled';",
      },
    ],
  },
  {
    file: 'src/domain/subscription/commands/window-reset.ts',
    tests: ['test/domain/subscription/purchases.test.ts'],
    faults: [
      {
        fault: 'Grants the included credits of a trial again.',
        source: "if (reset.status !== 'trialing') resetPools",
        replacement: 'resetPools',
      },
    ],
  },
  {
    file: 'src/domain/subscription/commands/dunning-retry.ts',
    tests: ['test/domain/subscription/dunning.test.ts'],
    faults: [
      {
        fault: 'Charges again at a retry that was already used.',
        source: 'command.slot <= subscription.dunningAttempts',
        replacement: 'command.slot < subscription.dunningAttempts',
      },
    ],
  },
  {
    file: 'src/domain/subscription/commands/period-end.ts',
    tests: ['test/domain/subscription/dunning.test.ts', 'test/domain/subscription/cycle.test.ts'],
    faults: [
      {
        fault: 'Renews a subscription during dunning.',
        source: "if (status === 'past_due' || isCharging",
        replacement: 'if (isCharging',
      },
      {
        fault: 'Renews a subscription that is scheduled to cancel.',
        source: 'if (subscription.cancelAtPeriodEnd) return cancelAtBoundary(draft, subscription);',
        replacement: '',
      },
    ],
  },
  {
    file: 'src/domain/subscription/payments/attempt-ended.ts',
    tests: ['test/domain/subscription/dunning.test.ts'],
    faults: [
      {
        fault: 'Counts an attempt of the payer as a scheduled retry.',
        source: 'if (!transaction.isPayerRetry) attemptDeclined',
        replacement: 'attemptDeclined',
      },
    ],
  },
  {
    file: 'src/domain/subscription/commands/charge-result.ts',
    tests: [
      'test/domain/subscription/dunning.test.ts',
      'test/domain/subscription/transaction-states.test.ts',
    ],
    faults: [
      {
        fault: 'Applies the result of a charge a second time.',
        source: "if (transaction.status !== 'pending')",
        replacement: "if (transaction.status === 'refunded')",
      },
    ],
  },
  {
    file: 'src/domain/subscription/state/deadlines.ts',
    tests: ['test/domain/subscription/deadlines.test.ts'],
    faults: [
      {
        fault: 'Doubles the time between retries without a limit.',
        source: 'Math.min(2 ** Math.max(0, attempts - 1), 60)',
        replacement: '2 ** Math.max(0, attempts - 1)',
      },
      {
        fault: 'Ignores the rank of deadlines that are due at the same time.',
        source: 'a.dueAt.getTime() - b.dueAt.getTime() || a.rank - b.rank',
        replacement: 'a.dueAt.getTime() - b.dueAt.getTime()',
      },
    ],
  },
  {
    file: 'src/domain/subscription/state/changes.ts',
    tests: ['test/domain/subscription/changes.test.ts'],
    faults: [
      {
        fault: 'Updates a row that is not stored yet.',
        source: "merged.get(id)?.flag === 'new' ? { flag: 'new', row: change.row } : change",
        replacement: 'change',
      },
    ],
  },
  {
    file: 'src/domain/subscription/state/transitions.ts',
    tests: ['test/domain/subscription/change-waiting.test.ts'],
    faults: [
      {
        fault: 'Allows a plan change during dunning.',
        source:
          "pending_payment: 'subscription_not_active',\n    past_due: 'subscription_not_active',\n    canceled: 'subscription_not_active',\n  },\n  grant",
        replacement:
          "pending_payment: 'subscription_not_active',\n    canceled: 'subscription_not_active',\n  },\n  grant",
      },
    ],
  },
  {
    file: 'src/domain/subscription/allowances/acceptance.ts',
    tests: ['test/domain/subscription/apply-offer.test.ts'],
    faults: [
      {
        fault: 'Accepts a quoted offer at the time of its expiry.',
        source: 'application.expiresAt <= draft.now',
        replacement: 'application.expiresAt < draft.now',
      },
    ],
  },
  {
    file: 'src/domain/subscription/allowances/plan-grant-fit.ts',
    tests: ['test/domain/subscription/plan-grants.test.ts'],
    faults: [
      {
        fault: 'Grants a plan of the same rank.',
        source: 'target.sortOrder <= base.sortOrder',
        replacement: 'target.sortOrder < base.sortOrder',
      },
    ],
  },
];
