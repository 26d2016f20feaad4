import type { FaultyFile } from '../fault.ts';

/** Faults to plant in the code that applies decisions to the database. */
export const engine: readonly FaultyFile[] = [
  {
    file: 'src/engine/events.ts',
    tests: ['test/engine/execute.test.ts'],
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
    file: 'src/engine/effects/number.ts',
    tests: ['test/engine/tables.test.ts', 'test/engine/execute.test.ts', 'test/stories/year.test.ts'],
    faults: [
      {
        fault: 'Gives appended rows the same sequence number.',
        source: 'into.added.push({ ...row, seq: this.#seq++ });\n  }',
        replacement: 'into.added.push({ ...row, seq: this.#seq });\n  }',
      },
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
        fault: 'Inserts changed rows again.',
        source: 'else into.changed.push(row);',
        replacement: 'else into.added.push(row);',
      },
    ],
  },
  {
    file: 'src/engine/catch-up.ts',
    tests: ['test/engine/late-worker.test.ts'],
    faults: [
      {
        fault: 'Decides an operation before the overdue deadlines of its customer.',
        source: 'if (!isRealTime(tx)) return { aggregates, late, attempts: [] };',
        replacement: 'if (isRealTime(tx)) return { aggregates, late, attempts: [] };',
      },
      {
        fault: 'Runs the overdue deadlines of a customer in the wrong order.',
        source: 'comesBefore(row, first)',
        replacement: 'comesBefore(first, row)',
      },
      {
        fault: 'Previews a customer without its overdue deadlines.',
        source: 'if (due.length === 0) return loaded;',
        replacement: 'if (due.length >= 0) return loaded;',
      },
    ],
  },
  {
    file: 'src/engine/usage/decide.ts',
    tests: ['test/engine/usage-batch.test.ts', 'test/engine/usage-snapshots.test.ts'],
    faults: [
      {
        fault: 'Records the usage of an operation that failed.',
        source: "'error' in responded || responded.isUndone",
        replacement: "'error' in responded",
      },
      {
        fault: 'Rejects a repeated event after the limit is reached.',
        source: 'decision.short.size > 0 || readEvents === null || !mayBeRepeated(decision)',
        replacement: 'readEvents !== undefined',
      },
    ],
  },
  {
    file: 'src/engine/usage/write.ts',
    tests: [
      'test/engine/usage-snapshots.test.ts',
      'test/modules/usage/usage/usage.test.ts',
      'test/races/usage.test.ts',
    ],
    faults: [
      {
        fault: 'Keeps the total of a usage counter.',
        source: 'excluded."windowStart", total = excluded.total,',
        replacement: 'excluded."windowStart",',
      },
      {
        fault: 'Deducts usage from no included credits.',
        source: 'SET pools = r.pools::jsonb, "updatedAt"',
        replacement: 'SET "updatedAt"',
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
        fault: 'Ignores the number of rows that a free sandbox has written.',
        source: '(await rowsWritten(ctx)) < sandboxRows',
        replacement: '(await rowsWritten(ctx)) > 0',
      },
    ],
  },
  {
    file: 'src/engine/apply.ts',
    tests: ['test/stories/offers.test.ts', 'test/races/offers.test.ts'],
    faults: [
      {
        fault: 'Counts no redemptions of promo codes.',
        source: 'countRedemptions(ctx.sql, rows.redemptions.added),',
        replacement: 'countRedemptions(ctx.sql, []),',
      },
    ],
  },
  {
    file: 'src/engine/settle.ts',
    tests: ['test/providers/remote.test.ts'],
    faults: [
      {
        fault: 'Charges an attempt again without asking the provider for its result.',
        source: "question === 'inquire' ? await gateway.inquire(attempt.request, environment.id) : null",
        replacement: 'null',
      },
    ],
  },
  {
    file: 'src/engine/execute.ts',
    tests: ['test/providers/remote.test.ts'],
    faults: [
      {
        fault: 'Accepts a payment whose provider has not responded.',
        source: "status !== 'unanswered' && status !== 'charging'",
        replacement: 'true',
      },
    ],
  },
  {
    file: 'src/engine/attempts.ts',
    tests: ['test/providers/remote.test.ts'],
    faults: [
      {
        fault: 'Keeps the first outcome of a charge in the result of a clock run.',
        source: 'await correctItems(tx, details);',
        replacement: 'await correctItems(tx, []);',
      },
    ],
  },
  {
    file: 'src/engine/batch.ts',
    tests: ['test/worker/worker.test.ts'],
    faults: [
      {
        fault: 'Retries a failed deadline after the first delay forever.',
        source: 'attempts: attempts + 1,',
        replacement: 'attempts,',
      },
    ],
  },
];
