import fc from 'fast-check';
import { expect, test } from 'vitest';
import { choose, trials } from '../support/laws.ts';
import { PrepaidCore } from './prepaid-core.ts';

// A corrected history of a level equals the history without the mistake, in the open window and in ended windows (PRM-127, PRM-128).

type Plan = 'metered' | 'metered2';

type Use = { readonly kind: 'use'; readonly value: number; readonly region: string };

type Step = Use | { readonly kind: 'wait'; readonly days: number } | { readonly kind: 'renew' };

type Fix = { readonly event: number; readonly to: Use | null };

const use = fc.record({
  kind: fc.constant('use' as const),
  value: fc.integer({ min: 1, max: 60 }),
  region: fc.constantFrom('ca', 'br', 'eu', 'us', 'us'),
});

const plans = fc.constantFrom<Plan[]>('metered', 'metered2');

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: use },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'renew' as const }) },
);

const fixes = fc.array(fc.record({ event: fc.nat(30), to: fc.option(use, { freq: 2 }) }), {
  minLength: 1,
  maxLength: 3,
});

/** Executes the steps. Returns `null` if an event of the level is rejected. */
function run(plan: Plan, steps: readonly Step[]): PrepaidCore | null {
  const core = new PrepaidCore();
  subscribe(core, plan);
  for (const one of steps)
    if (one.kind === 'wait') core.do(one);
    else if (one.kind === 'renew') renew(core, plan);
    else if (core.use('storage', one.value, one.region) !== 'recorded') return null;
  return core;
}

function subscribe(core: PrepaidCore, planId: Plan): void {
  core.run({ kind: 'subscription.create', selection: { planId } });
  core.do({ kind: 'pay', card: 0 });
}

/** Replaces the subscription by a new one. */
function renew(core: PrepaidCore, plan: Plan): void {
  const { subscription } = core;
  if (subscription === undefined) throw new Error('There is a subscription.');
  core.run({
    kind: 'subscription.cancel',
    subscriptionId: subscription.id,
    reason: null,
    immediate: true,
  });
  subscribe(core, plan);
}

const placesOf = (steps: readonly Step[]): number[] =>
  steps.flatMap((one, index) => (one.kind === 'use' ? [index] : []));

const shown = (core: PrepaidCore) => ({
  level: core.aggregate.counters.findLast(({ featureId }) => featureId === 'storage')?.level ?? 0n,
  ended: core.endedUsage
    .filter((row) => row.featureId === 'storage' && row.total > 0n)
    .map(({ windowStart, windowEnd, total }) => [windowStart, windowEnd, total]),
});

/** Returns the total of the open window at its end, and the invoice for it. */
function next(core: PrepaidCore) {
  const known = core.endedUsage.length;
  core.do({ kind: 'wait', days: 40 });
  return core.endedUsage
    .slice(known)
    .filter((row) => row.featureId === 'storage' && row.total > 0n)
    .map(({ windowStart, total }) => [windowStart, total]);
}

/** Applies one correction to both histories. Returns the history without the mistake. */
function fix(core: PrepaidCore, plan: Plan, steps: readonly Step[], { event, to }: Fix): readonly Step[] {
  const place = choose(placesOf(steps), event);
  const wanted = steps.map((one, index) =>
    index === place ? (to ?? ({ kind: 'wait', days: 0 } as const)) : one,
  );
  // Events that aren't corrected are in the order of the steps, because a replacement has the place of the corrected event.
  const events = core.levelEvents({ featureId: 'storage', windowStart: new Date(0) });
  const corrected = events[placesOf(steps).indexOf(place)];
  if (corrected === undefined) throw new Error('An event is missing.');
  const before = shown(core);
  const result = core.correct(corrected, to);
  const isCharged =
    core.subscription?.id === corrected.subscriptionId ||
    core.endedUsage.some((row) => core.isSameWindow(row, corrected));
  if (run(plan, wanted) !== null && (isCharged || to === null)) {
    expect(result).toBe('corrected');
    return wanted;
  }
  expect(result).toBe('validation_error');
  expect(shown(core)).toEqual(before);
  return steps;
}

test('a corrected history of a level equals the history without the mistakes', () => {
  let corrected = 0;
  fc.assert(
    fc.property(plans, fc.array(step, { minLength: 6, maxLength: 25 }), fixes, (plan, steps, wanted) => {
      const core = run(plan, steps);
      if (core === null || placesOf(steps).length === 0) return;
      let history: readonly Step[] = steps;
      for (const one of wanted) {
        if (placesOf(history).length === 0) break;
        history = fix(core, plan, history, one);
      }
      const other = run(plan, history);
      if (other === null) throw new Error('The history is possible.');
      expect(shown(core)).toEqual(shown(other));
      const billed = [...core.endedUsage].reduce((sum, { id }) => sum + (core.billed.get(id) ?? 0n), 0n);
      const priced = core.endedUsage.reduce((sum, row) => sum + core.priceOfEnded(row), 0n);
      const differences = core.corrections.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0n), 0n);
      expect(billed + differences).toBe(priced);
      expect(next(core)).toEqual(next(other));
      corrected++;
    }),
    trials(300),
  );
  expect(corrected).toBeGreaterThan(20);
});
