import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregations, type MeterDocument } from '../../src/domain/meters/meter.ts';
import { stateAfter, type WindowStep } from '../../src/domain/meters/replay.ts';
import { totalOf, type WindowEvent } from '../../src/domain/meters/total.ts';
import { trials } from '../support/laws.ts';

// Totals without a voided event. The total after a void equals the total of the other events.

const runs = trials(300);

const sent = fc.record({
  quantity: fc.integer({ min: 0, max: 500 }),
  user: fc.constantFrom('a', 'b', 'c', 'd'),
  at: fc.integer({ min: 0, max: 1_000_000 }),
});

const history = fc
  .uniqueArray(sent, { minLength: 1, maxLength: 30, selector: ({ at }) => at })
  .map((events): readonly WindowEvent[] =>
    events.map(({ quantity, user, at }, index) => ({
      value: BigInt(quantity),
      quantity: null,
      properties: [{ property: 'user', value: user }],
      ts: new Date(at),
      seq: BigInt(index),
    })),
  );

const meters = fc.constantFrom(...aggregations).map(
  (aggregation): MeterDocument => ({
    aggregation,
    decimals: 0,
    ...(aggregation === 'unique' ? { property: 'user' } : {}),
  }),
);

const window = { start: new Date(0), end: new Date(2_000_000) };

describe('the state of a window after its events', () => {
  test('equals the total of the events that were not voided', () => {
    fc.assert(
      fc.property(meters, history, fc.nat(), (meter, events, place) => {
        const rest = events.filter((_event, index) => index !== place % events.length);
        expect(stateAfter(meter, rest).total).toBe(totalOf(meter, rest, window));
      }),
      runs,
    );
  });

  test('is the same if an event is recorded again in its place', () => {
    fc.assert(
      fc.property(meters, history, fc.nat(), (meter, events, place) => {
        const index = place % events.length;
        const again = events.filter((_event, other) => other !== index);
        const event = events[index];
        const last: readonly WindowStep[] = event === undefined ? [] : [{ ...event, seq: 1_000n }];
        expect(stateAfter(meter, [...again, ...last]).total).toBe(stateAfter(meter, events).total);
      }),
      runs,
    );
  });

  test('starts at a total that was set', () => {
    fc.assert(
      fc.property(history, fc.bigInt({ min: 0n, max: 1_000n }), (events, total) => {
        const set: WindowStep = { total, seq: 500n };
        const later = events.map((event) => ({ ...event, seq: event.seq + 1_000n }));
        const sum = later.reduce((all, { value }) => all + value, total);
        expect(stateAfter(null, [...events, set, ...later]).total).toBe(sum);
      }),
      runs,
    );
  });
});
