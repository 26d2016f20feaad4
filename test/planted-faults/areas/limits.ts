import type { FaultyFile } from '../fault.ts';

/** Faults to plant in the code for limits, holds, and automatic top-ups. */
export const limits: readonly FaultyFile[] = [
  {
    file: 'src/domain/limits/windows.ts',
    tests: ['test/domain/limits/windows.test.ts', 'test/stories/limits.test.ts'],
    faults: [
      {
        fault: 'Shortens a calendar window to a third of its length after a change of the time zone.',
        source: '(boundary - start) * 2 < nominalMs[kind]',
        replacement: '(boundary - start) * 3 < nominalMs[kind]',
      },
      {
        fault: 'Starts a window of fixed length with each use.',
        source: 'const start = anchor + Math.floor((at - anchor) / length) * length;',
        replacement: 'const start = at;',
      },
    ],
  },
  {
    file: 'src/domain/limits/admission.ts',
    tests: ['test/domain/limits/spend.test.ts'],
    faults: [
      {
        fault: 'Compares a spend cap with the exact price only.',
        source: '(rounded === null || fits(',
        replacement: '(rounded !== undefined || fits(',
      },
    ],
  },
  {
    file: 'src/domain/usage/window-lines.ts',
    tests: ['test/domain/limits/spend.test.ts'],
    faults: [
      {
        fault: 'Keeps the spend of a usage window after accepted usage.',
        source: '    lines.sums = sums;\n',
        replacement: '    lines.sums = { ...sums, amount: lines.sums.amount };\n',
      },
    ],
  },
  {
    file: 'src/domain/usage/movement-nodes.ts',
    tests: ['test/modules/usage/holds/moved-budgets.test.ts'],
    faults: [
      {
        fault: 'Moves an open hold to the new plan of its customer.',
        source: 'const planId = planOfHold(gauges) ?? plan.id;',
        replacement: 'const planId = plan.id;',
      },
    ],
  },
  {
    file: 'src/domain/usage/hold-open.ts',
    tests: ['test/modules/usage/holds/moved-budgets.test.ts'],
    faults: [
      {
        fault: 'Adds to a hold on an archived budget.',
        source: 'book.limits?.rows.hasArchived(nodes) === true',
        replacement: 'book.limits?.rows.hasArchived([]) === true',
      },
    ],
  },
  {
    file: 'src/domain/usage/correction.ts',
    tests: ['test/stories/limits.test.ts'],
    faults: [
      {
        fault: 'Returns the units of a corrected event to the window of the correction.',
        source: 'countedAt: event.createdAt,',
        replacement: 'countedAt: book.now,',
      },
    ],
  },
  {
    file: 'src/engine/usage/batch.ts',
    tests: ['test/modules/usage/holds/kills.test.ts'],
    faults: [
      {
        fault: 'Commits usage without the response to its idempotency key.',
        source: 'const keyed = keyedResults(decided);',
        replacement: 'const keyed = keyedResults(decided).slice(decided.responses.size);',
      },
    ],
  },
  {
    file: 'src/worker/environment-tasks.ts',
    tests: ['test/properties/limits.test.ts'],
    faults: [
      {
        fault: 'Expires holds at the end of a clock run.',
        source: '{ dueAt: expiryAt, run: expireHolds }',
        replacement: '{ dueAt: expiryAt <= until ? until : expiryAt, run: expireHolds }',
      },
    ],
  },
  {
    file: 'src/domain/topups/decide.ts',
    tests: ['test/modules/subscriptions/auto-topups/named-cases.test.ts'],
    faults: [
      {
        fault: 'Buys automatic top-ups without a pause.',
        source: 'freeAt !== null && freeAt > now',
        replacement: 'freeAt !== null && freeAt < freeAt',
      },
      {
        fault: 'Retries an automatic top-up whose card requires authentication.',
        source: 'authenticationCodes.has(declineCode)',
        replacement: "authenticationCodes.has('')",
      },
      {
        fault: 'Buys automatic top-ups above the amount of the month.',
        source: 'total > left || total < minimum',
        replacement: 'total < minimum',
      },
    ],
  },
  {
    file: 'src/modules/pages/portal/set-limit.ts',
    tests: ['test/modules/pages/portal/limits.test.ts'],
    faults: [
      {
        fault: 'Ignores the limit of a concurrent request with a later time.',
        source: 'isAlike(limit) && !hasEnded(limit)',
        replacement: 'isAlike(limit) && !hasEnded(limit) && limit.validFrom <= tx.clock.now()',
      },
    ],
  },
];
