import fc from 'fast-check';

/** Seed for property tests: PROPERTY_SEED, or a constant so that failures can be reproduced. */
const seed = Number(process.env['PROPERTY_SEED'] ?? 20_270_131);

/**
 * Settings for a property test: PROPERTY_RUNS random histories, or `usual` if PROPERTY_RUNS isn't set. A failed test prints its seed and
 * path.
 */
export const trials = (usual: number) => ({ numRuns: Number(process.env['PROPERTY_RUNS'] ?? usual), seed });

/** Settings for a slow property test with a database: 1/25 of PROPERTY_RUNS. Failures aren't shrunk, because that would take too long. */
export const slowTrials = (usual: number) => {
  const laws = process.env['PROPERTY_RUNS'];
  return { numRuns: laws === undefined ? usual : Math.ceil(Number(laws) / 25), seed, endOnFailure: true };
};

/** Step in a random history. The product rejects a step that the customer's state doesn't allow, which is part of the test. */
export type Step =
  | { readonly kind: 'wait'; readonly days: number }
  | { readonly kind: 'create'; readonly plan: number; readonly offer: number | null; readonly seats: number }
  | { readonly kind: 'pay'; readonly card: number }
  | { readonly kind: 'method'; readonly card: number }
  | { readonly kind: 'cancel'; readonly immediate: boolean }
  | { readonly kind: 'uncancel' }
  | { readonly kind: 'offerRemove' }
  | { readonly kind: 'addonOn' }
  | { readonly kind: 'addonOff' }
  | { readonly kind: 'pack' }
  | { readonly kind: 'refund' }
  | { readonly kind: 'reactivate'; readonly offer: number | null }
  | { readonly kind: 'change'; readonly plan: number; readonly offer: number | null }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'grant'; readonly plan: number; readonly cycles: number }
  | { readonly kind: 'grantEnd' }
  | { readonly kind: 'offer'; readonly offer: number }
  | { readonly kind: 'seats'; readonly op: 'add' | 'remove' | 'set'; readonly count: number }
  | { readonly kind: 'topUp'; readonly amount: number }
  | { readonly kind: 'credit'; readonly amount: number }
  | { readonly kind: 'mark'; readonly status: 'paid' | 'void' };

const offer = fc.option(fc.nat(20), { freq: 2 });
const of = <K extends Step['kind']>(kind: K) => fc.constant({ kind } as const);

/** Generates a random step. Steps that advance time or create subscriptions are more frequent, because the other steps depend on them. */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('create' as const), plan: fc.nat(20), offer, seats: fc.nat(4) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), card: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('method' as const), card: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), immediate: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.oneof(of('uncancel'), of('offerRemove'), of('addonOn'), of('addonOff'), of('pack')),
  },
  { weight: 1, arbitrary: of('refund') },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reactivate' as const), offer }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), plan: fc.nat(20), offer }) },
  {
    weight: 3,
    arbitrary: fc.oneof(
      of('withdraw'),
      fc.record({
        kind: fc.constant('grant' as const),
        plan: fc.nat(20),
        cycles: fc.integer({ min: 1, max: 3 }),
      }),
      of('grantEnd'),
    ),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('offer' as const), offer: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('seats' as const),
      op: fc.constantFrom('add' as const, 'remove' as const, 'set' as const),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('topUp' as const, 'credit' as const),
      amount: fc.integer({ min: 40, max: 9_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      status: fc.constantFrom('paid' as const, 'void' as const),
    }),
  },
);

/** Generates random histories that begin with a paid subscription. */
export const history = (length: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(fc.nat(20), fc.nat(20), fc.array(step, { minLength: length - 2, maxLength: length - 2 }))
    .map(([plan, card, rest]): readonly Step[] => [
      { kind: 'create', plan, offer: null, seats: 0 },
      { kind: 'pay', card },
      ...rest,
    ]);

/** Returns one of the values, selected by a non-negative number of any size. */
export function choose<T>(values: readonly T[], number: number): T {
  const value = values[number % values.length];
  if (value === undefined) throw new Error('There is nothing to choose from.');
  return value;
}

/** Test cards, which a history refers to by number. Payments succeed with most of them. */
export const lawCards = [
  '4242424242424242',
  '4242424242424242',
  '4000000000000341',
  '4242424242424242',
  '4000000000000341',
  '4000000000000002',
  '4000000000000259',
] as const;
