import type { FaultyFile } from '../fault.ts';

/** Faults to plant in the code for prices, terms, usage limits, seats, credits, and balances. */
export const usage: readonly FaultyFile[] = [
  {
    file: 'src/domain/pricing/resolve.ts',
    tests: ['test/domain/pricing.test.ts'],
    faults: [
      {
        fault: 'Ignores a version that starts now.',
        source: 'version !== undefined && version.validFrom <= at',
        replacement: 'version !== undefined && version.validFrom < at',
      },
      {
        fault: 'Uses an override at the time of its end.',
        source: 'validTo === null || at < validTo',
        replacement: 'validTo === null || at <= validTo',
      },
      {
        fault: 'Ignores the overrides of the price that a variant inherits from.',
        source: 'of(price.id) ?? (price.inheritsFromPriceId === null ? null : of(price.inheritsFromPriceId))',
        replacement: 'of(price.id)',
      },
    ],
  },
  {
    file: 'src/domain/pricing/local-rates.ts',
    tests: ['test/domain/pricing.test.ts', 'test/domain/regional.test.ts'],
    faults: [
      {
        fault: 'Keeps the unit price in a foreign currency that ended before the subscription.',
        source: 'validFrom <= from && (validTo === null || validTo > from)',
        replacement: 'validFrom <= from',
      },
    ],
  },
  {
    file: 'src/domain/pricing/terms.ts',
    tests: ['test/domain/pricing.test.ts', 'test/domain/regional.test.ts'],
    faults: [
      {
        fault: 'Takes a feature from customers who bought it.',
        source: 'enabled: held.enabled || version.enabled',
        replacement: 'enabled: version.enabled',
      },
    ],
  },
  {
    file: 'src/domain/pricing/regional.ts',
    tests: ['test/domain/regional.test.ts'],
    faults: [
      {
        fault: 'Accepts an exchange rate of zero.',
        source: "typeof read === 'string' || read.units === 0n",
        replacement: "typeof read === 'string'",
      },
    ],
  },
  {
    file: 'src/domain/rows/explanation.ts',
    tests: ['test/domain/explanation.test.ts'],
    faults: [
      {
        fault: 'Charges a part of a period in full in another currency.',
        source: 'n.days, exchangeDivisor * n.total_days',
        replacement: 'n.total_days, exchangeDivisor * n.total_days',
      },
    ],
  },
  {
    file: 'src/domain/usage/window.ts',
    tests: ['test/domain/usage/consumption.test.ts'],
    faults: [
      {
        fault: 'Adds the units covered by an earlier invoice to the included units.',
        source: 'maxOf(includedAmount, covered)',
        replacement: 'includedAmount + covered',
      },
      {
        fault: 'Credits unused included units.',
        source: 'maxOf(0n, use.total - freeUnits(terms, use))',
        replacement: 'use.total - freeUnits(terms, use)',
      },
    ],
  },
  {
    file: 'src/domain/usage/admission.ts',
    tests: ['test/domain/usage/consumption.test.ts'],
    faults: [
      {
        fault: 'Rejects the last included unit.',
        source: 'isAccepted(limit, after > before, after)',
        replacement: 'isAccepted(limit, after > before, after + 1n)',
      },
      {
        fault: 'Blocks usage on a plan whose balance can be negative.',
        source: 'const limit = poolLimit(pool, of);',
        replacement: 'const limit = poolLimit(pool, { canOverdraw: false });',
      },
      {
        fault: 'Rejects usage that costs exactly the remaining credits.',
        source: '!isHeld && rejects(draw.required, true)',
        replacement: '!isHeld && rejects(draw.required + 1n, true)',
      },
    ],
  },
  {
    file: 'src/domain/lots/order.ts',
    tests: ['test/domain/usage/consumption.test.ts'],
    faults: [
      {
        fault: 'Uses purchased credits before the credits of the plan.',
        source: 'return a.priority - b.priority',
        replacement: 'return b.priority - a.priority',
      },
    ],
  },
  {
    file: 'src/domain/lots/reset.ts',
    tests: ['test/domain/usage/consumption.test.ts'],
    faults: [
      {
        fault: 'Keeps unused plan credits at the reset.',
        source: 'isOverdrawn ? 0n : expireEnding(posting, kind, settled)',
        replacement: '0n',
      },
      {
        fault: 'Warns of low credits in the first period only.',
        source: 'lastRefill: included, crossed: 0 }',
        replacement: 'lastRefill: included }',
      },
    ],
  },
  {
    file: 'src/domain/lots/account.ts',
    tests: ['test/domain/lots/reserved-lots.test.ts'],
    faults: [
      {
        fault: 'Reserves the freed part of an ended lot for later holds.',
        source: 'withEndedPart(next, lot, minOf(part, reserved.get(lot.id) ?? 0n))',
        replacement: 'next',
      },
    ],
  },
  {
    file: 'src/domain/lots/posting.ts',
    tests: ['test/domain/lots/reserved-lots.test.ts'],
    faults: [
      {
        fault: 'Removes the reserved part of a lot at its end.',
        source: 'const reserved = this.#reservedIn(lot);',
        replacement: 'const reserved = 0n * this.#reservedIn(lot);',
      },
      {
        fault: 'Lets usage draw on reserved parts of lots first.',
        source: 'left = this.#drawFrom(kind, left, type, unreserved, true);',
        replacement: 'left = this.#drawFrom(kind, left, type, usable, true);',
      },
    ],
  },
  {
    file: 'src/domain/usage/system-limits.ts',
    tests: ['test/domain/usage/consumption.test.ts', 'test/domain/usage/counts.test.ts'],
    faults: [
      {
        fault: 'Rejects a decrease of a count above the limit.',
        source: 'isAccepted(limit, after > before, after)',
        replacement: 'isAccepted(limit, true, after)',
      },
      {
        fault: 'Skips the warning at exactly 80% of the included units.',
        source: '(included * 8n + 9n) / 10n',
        replacement: '(included * 8n) / 10n + 1n',
      },
      {
        fault: 'Reports overage at exactly the included units.',
        source: 'allowsOverage ? included + 1n : included',
        replacement: 'included',
      },
    ],
  },
  {
    file: 'src/domain/usage/tokens.ts',
    tests: ['test/domain/usage/tokens.test.ts'],
    faults: [
      {
        fault: 'Bills tokens that were written to the cache twice.',
        source: "const cachedClasses = ['cache_read', 'cache_write', 'cache_write_1h'] as const;",
        replacement: "const cachedClasses = ['cache_read', 'cache_write_1h'] as const;",
      },
      {
        fault: 'Prices the first tokens of a long context at the lower price.',
        source: 'input <= upTo',
        replacement: 'input - 1n <= upTo',
      },
    ],
  },
  {
    file: 'src/domain/usage/counts.ts',
    tests: ['test/domain/usage/counts.test.ts', 'test/domain/subscription/change-plan.test.ts'],
    faults: [
      {
        fault: 'Ignores scheduled removals of seats.',
        source: 'count.count - count.pendingRemovals;',
        replacement: 'count.count;',
      },
      {
        fault: 'Bills seats again that were added after a removal in the same period.',
        source: 'if (value <= highWaterMark(count))',
        replacement: 'if (value <= count.count)',
      },
      {
        fault: 'Bills included units that were added during the period.',
        source: 'maxOf(includedAmount, count.openingCount)',
        replacement: 'count.openingCount',
      },
      {
        fault: 'Bills added units for the whole period.',
        source: 'times(rise, ratio(days, length))',
        replacement: 'times(rise, ratio(length, length))',
      },
    ],
  },
  {
    file: 'src/domain/usage/counter.ts',
    tests: ['test/domain/usage/record.test.ts'],
    faults: [
      {
        fault: 'Continues the count of the previous window.',
        source: 'if (stored?.windowStart.getTime() === windowStart.getTime()) return stored;',
        replacement: 'if (stored !== null) return stored;',
      },
    ],
  },
  {
    file: 'src/domain/meters/measure.ts',
    tests: ['test/domain/meters'],
    faults: [
      {
        fault: 'Rounds an event down to the step of the meter.',
        source: '(units + size - 1n) / size',
        replacement: 'units / size',
      },
      {
        fault: 'Counts a known value again.',
        source: 'known === 0n ? 1n : 0n',
        replacement: '1n',
      },
      {
        fault: 'Replaces the latest quantity with the quantity of an earlier event.',
        source: 'latestAt === null || at >= latestAt',
        replacement: 'true',
      },
    ],
  },
  {
    file: 'src/domain/meters/total.ts',
    tests: ['test/domain/meters'],
    faults: [
      {
        fault: 'Rounds the rank of a percentile down.',
        source: '* count + 99n) / 100n',
        replacement: '* count) / 100n',
      },
      {
        fault: 'Leaves buckets without events out of a percentile.',
        source: 'const zeros = count - BigInt(totals.length);',
        replacement: 'const zeros = 0n;',
      },
    ],
  },
  {
    file: 'src/domain/usage/event-checks.ts',
    tests: ['test/domain/usage/record.test.ts'],
    faults: [
      {
        fault: 'Accepts an event ID again for another quantity.',
        source: 'stored.value === quantity.measured.value &&',
        replacement: '',
      },
      {
        fault: 'Records usage from before the subscription.',
        source: 'return ts < startDate',
        replacement: 'return ts > now && ts < startDate',
      },
    ],
  },
  {
    file: 'src/domain/usage/terms.ts',
    tests: ['test/domain/subscription/addons.test.ts'],
    faults: [
      {
        fault: 'Sells overage during a trial.',
        source: 'terms.overageEnabled && !isRestricted',
        replacement: 'terms.overageEnabled',
      },
    ],
  },
  {
    file: 'src/domain/usage/included.ts',
    tests: ['test/domain/usage/included.test.ts'],
    faults: [
      {
        fault: 'Reduces the included credits of a subscription.',
        source: 'maxOf(held[pool] ?? 0n, raised[pool] ?? 0n)',
        replacement: 'raised[pool] ?? 0n',
      },
    ],
  },
  {
    file: 'src/domain/subscription/allowances/arrears.ts',
    tests: ['test/domain/subscription/addons.test.ts'],
    faults: [
      {
        fault: 'Bills the usage of an earlier window again.',
        source: 'const isOpen = stored.windowStart.getTime() === start.getTime();',
        replacement: 'const isOpen = true;',
      },
    ],
  },
];
