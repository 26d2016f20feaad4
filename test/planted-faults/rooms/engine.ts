import type { FaultyFile } from '../fault.ts';

const worker = ['test/worker/worker.test.ts', 'test/worker/clock-run.test.ts'];
const usage = [
  'test/engine/usage-batch.test.ts',
  'test/engine/usage-snapshots.test.ts',
  'test/modules/usage/usage',
  'test/races/usage.test.ts',
];

/** Execution of decisions on the database. */
export const engine: readonly FaultyFile[] = [
  {
    file: 'src/engine/apply.ts',
    tests: [
      'test/engine/execute.test.ts',
      'test/stories/offers.test.ts',
      'test/modules/customers/customers/delete.test.ts',
      'test/providers/remote.test.ts',
      'test/modules/pages/checkout',
    ],
    faults: [
      {
        fault: 'Keeps the deadlines that a decision removes.',
        source: 'removeDeadlines(ctx, remove),',
        replacement: 'removeDeadlines(ctx, []),',
      },
      {
        fault: 'Keeps the stored lines of a revised invoice.',
        source: 'clearLines(ctx, cleared),',
        replacement: 'clearLines(ctx, []),',
      },
      {
        fault: 'Leaves a deadline parked after the charge that it waited for.',
        source: 'readyDeadlines(ctx, ready),',
        replacement: 'readyDeadlines(ctx, []),',
      },
      {
        fault: 'Counts no redemptions of promo codes.',
        source: 'countRedemptions(ctx.sql, rows.redemptions.added),',
        replacement: 'countRedemptions(ctx.sql, []),',
      },
      {
        fault: 'Keeps the portal sessions of deleted customers.',
        source: 'endPortalSessions(ctx, rows),',
        replacement: 'Promise.resolve(),',
      },
      {
        fault: 'Runs deadlines in real time although the test clock was moved.',
        source: 'ctx.livemode || ctx.environment.simulatedTime === null',
        replacement: 'true',
      },
    ],
  },
  {
    file: 'src/engine/effects/number.ts',
    tests: [
      'test/engine/tables.test.ts',
      'test/engine/execute.test.ts',
      'test/quotas.test.ts',
      'test/stories/refunds.test.ts',
    ],
    faults: [
      {
        fault: 'Gives the invoices of one execution the same number.',
        source: 'number: this.#invoiceNumber++',
        replacement: 'number: this.#invoiceNumber',
      },
      {
        fault: 'Reserves no numbers for new invoices.',
        source: 'invoiceNumbers += countNew(set.invoices);',
        replacement: 'invoiceNumbers += 0;',
      },
      {
        fault: 'Gives appended rows the same sequence number.',
        source: 'into.added.push({ ...row, seq: this.#seq++ });\n  }',
        replacement: 'into.added.push({ ...row, seq: this.#seq });\n  }',
      },
      {
        fault: 'Inserts changed rows again.',
        source: 'else into.changed.push(row);',
        replacement: 'else into.added.push(row);',
      },
    ],
  },
  {
    file: 'src/engine/batch.ts',
    tests: ['test/engine/late-worker.test.ts', ...worker, 'test/providers/remote.test.ts'],
    faults: [
      {
        fault: 'Executes a deadline that was rescheduled in the meantime.',
        source: "state === 'ready' && dueAt.getTime() === deadline.dueAt.getTime()",
        replacement: "state === 'ready'",
      },
      {
        fault: 'Forgets that a deadline waits for a charge.',
        source: "executed.filter(({ status }) => status === 'parked')",
        replacement: "executed.filter(({ status }) => status === 'stale')",
      },
      {
        fault: 'Announces each failed retry of a deadline.',
        source: "status === 'failed' && deadline.attempts === 0 &&",
        replacement: "status === 'failed' &&",
      },
      {
        fault: 'Retries a failed deadline after the first delay forever.',
        source: 'attempts: attempts + 1,',
        replacement: 'attempts,',
      },
      {
        fault: 'Goes on with the later deadlines of a subscription whose deadline failed.',
        source: '(t.id = r.id OR t."subscriptionId" = r."subscriptionId") AND',
        replacement: 't.id = r.id AND',
      },
      {
        fault: 'Reports a deadline as completed although its changes were rejected.',
        source: 'if (rejected.length === 0) return',
        replacement: 'if (rejected.length >= 0) return',
      },
    ],
  },
  {
    file: 'src/engine/catch-up.ts',
    tests: ['test/engine/late-worker.test.ts'],
    faults: [
      {
        fault: 'Runs the overdue deadlines of a customer in any order.',
        source: 'isLate(row, now) && (first === null || comesBefore(row, first))',
        replacement: 'isLate(row, now) && (first === null || comesBefore(first, row))',
      },
      {
        fault: 'Decides an operation before the overdue deadlines of its customer.',
        source: 'if (!isRealTime(tx)) return { aggregates, late, attempts: [] };',
        replacement: 'if (isRealTime(tx)) return { aggregates, late, attempts: [] };',
      },
      {
        fault: 'Previews a customer without its overdue deadlines.',
        source: 'if (due.length === 0) return loaded;',
        replacement: 'if (due.length >= 0) return loaded;',
      },
    ],
  },
  {
    file: 'src/engine/settle.ts',
    tests: ['test/providers/remote.test.ts', 'test/providers/stripe.test.ts'],
    faults: [
      {
        fault: 'Charges an attempt again without asking the provider for its result.',
        source: "question === 'inquire' ? await gateway.inquire(attempt.request, environment.id) : null",
        replacement: 'null',
      },
      {
        fault: 'Treats a request that failed as a decline.',
        source: "const unknown: ChargeResult = { status: 'unknown' };",
        replacement:
          "const unknown: ChargeResult = { status: 'declined', declineCode: 'card_declined', message: 'Declined.' } as never;",
      },
      {
        fault: 'Asks about an attempt without a result no further.',
        source: 'if (silent.length > 0) {',
        replacement: 'if (silent.length > 99) {',
      },
      {
        fault: 'Leaves an authentication open at the provider although no payer is present.',
        source: "result.status === 'requires_action' &&",
        replacement: "result.status === 'unknown' &&",
      },
    ],
  },
  {
    file: 'src/engine/attempts.ts',
    tests: ['test/providers/remote.test.ts'],
    faults: [
      {
        fault: 'Asks the provider about an attempt only after a restart.',
        source: '(t."inquireAt" <= $2 OR (t."isBatch" AND t.asks = 0))',
        replacement: '(t."isBatch" AND t.asks = 0)',
      },
      {
        fault: 'Keeps the first outcome of a charge in the result of a clock run.',
        source: 'await correctItems(tx, details);',
        replacement: 'await correctItems(tx, []);',
      },
    ],
  },
  {
    file: 'src/engine/events.ts',
    tests: ['test/engine/execute.test.ts', 'test/stories/emails.test.ts'],
    faults: [
      {
        fault: 'Stores two events of one cause.',
        source: 'if (seen.has(cause)) return false;',
        replacement: '',
      },
      {
        fault: 'Omits the number of a new invoice from its event.',
        source: "invoiceNumber: numbers.get(data['invoiceId']) ?? null",
        replacement: 'invoiceNumber: null',
      },
    ],
  },
  {
    file: 'src/engine/execute.ts',
    tests: [
      'test/providers/remote.test.ts',
      'test/providers/stripe-payments.test.ts',
      'test/providers/stripe.test.ts',
    ],
    faults: [
      {
        fault: 'Cancels an authentication although the provider reports a payment.',
        source: ': { abandoned: null, instead };',
        replacement: ': { abandoned: attemptId, instead: null };',
      },
      {
        fault: 'Accepts a payment whose provider has not responded.',
        source: "status !== 'unanswered' && status !== 'charging'",
        replacement: 'true',
      },
    ],
  },
  {
    file: 'src/engine/usage/write.ts',
    tests: usage,
    faults: [
      {
        fault: 'Keeps the total of a usage counter.',
        source: 'excluded."windowStart", total = excluded.total,',
        replacement: 'excluded."windowStart",',
      },
      {
        fault: 'Deducts usage from no credits.',
        source: 'SET "planCredits" = r."planCredits", "purchasedCredits"',
        replacement: 'SET "purchasedCredits"',
      },
    ],
  },
  {
    file: 'src/engine/usage/decide.ts',
    tests: usage,
    faults: [
      {
        fault: 'Records the usage of an operation that failed.',
        source: "'error' in responded || responded.isUndone",
        replacement: "'error' in responded",
      },
      {
        fault: 'Rejects a repeated event after the limit is reached.',
        source: 'if (readEvents === null || !mayBeRepeated(decision))',
        replacement: 'if (readEvents !== undefined)',
      },
    ],
  },
  {
    file: 'src/engine/quotas.ts',
    tests: ['test/quotas.test.ts'],
    faults: [
      {
        fault: 'Limits a free sandbox after the organization has charged a customer.',
        source: 'return found.length > 0;',
        replacement: 'return found.length < 0;',
      },
      {
        fault: 'Applies the limits of free sandboxes in the live environment.',
        source: 'environment.isProvisioned && !environment.livemode',
        replacement: 'environment.isProvisioned',
      },
    ],
  },
];
