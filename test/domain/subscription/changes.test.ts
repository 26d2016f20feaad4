import { describe, expect, test } from 'vitest';
import { commandOf } from '../../../src/domain/subscription/decision/deadline-command.ts';
import {
  type ChangeSet,
  type DeadlineRow,
  mergeChanges,
} from '../../../src/domain/subscription/state/aggregate.ts';
import { deadline } from '../../../src/domain/subscription/state/deadlines.ts';
import { noChanges } from '../../support/change-sets.ts';
import { simplePlan } from './catalog.ts';
import { at, World } from './world.ts';

const subscription = () => {
  const world = new World('2027-01-31', simplePlan('monthly', 100n));
  world.create(null, { planId: 'cove' });
  return world.subscription;
};

describe('merging two change sets', () => {
  test('replaces earlier versions of a row with later versions, and still treats new rows as new', () => {
    const row = subscription();
    const a: ChangeSet = {
      ...noChanges,
      subscriptions: new Map([
        ['a', { flag: 'new', row }],
        ['b', { flag: 'changed', row }],
      ]),
    };
    const later = { ...row, name: 'later' };
    const b: ChangeSet = {
      ...noChanges,
      subscriptions: new Map([
        ['a', { flag: 'changed', row: later }],
        ['c', { flag: 'new', row }],
      ]),
    };
    expect([...mergeChanges(a, b).subscriptions]).toEqual([
      ['a', { flag: 'new', row: later }],
      ['b', { flag: 'changed', row }],
      ['c', { flag: 'new', row }],
    ]);
  });

  test('keeps each deadline in only one list, as in the later change set', () => {
    const one = (slot: number, state: 'ready' | 'parked' = 'ready'): DeadlineRow => ({
      ...deadline(subscription(), 'dunning_retry', at('2027-02-01'), slot, { slot }),
      id: `k${slot}`,
      state,
    });
    const a: ChangeSet = {
      ...noChanges,
      deadlines: { put: [one(1), one(2), one(3, 'parked')], remove: ['k4', 'k5'], ready: ['k6', 'k7'] },
    };
    const b: ChangeSet = {
      ...noChanges,
      deadlines: { put: [one(4)], remove: ['k1', 'k6'], ready: ['k3', 'k8'] },
    };
    const { put, remove, ready } = mergeChanges(a, b).deadlines;
    expect(put.map(({ id, state }) => [id, state])).toEqual([
      ['k2', 'ready'],
      ['k3', 'ready'],
      ['k4', 'ready'],
    ]);
    expect(remove).toEqual(['k5', 'k1', 'k6']);
    expect(ready).toEqual(['k7', 'k8']);
  });

  test('keeps the earlier deadline result unless the later change set has a deadline result', () => {
    const item = { outcome: 'renewed', invoiceId: 'inv_1', detail: null } as const;
    const declined = { outcome: 'declined', invoiceId: 'inv_1', detail: 'card_declined' } as const;
    expect(mergeChanges({ ...noChanges, item }, { ...noChanges, item: declined }).item).toEqual(declined);
    expect(mergeChanges({ ...noChanges, item }, noChanges).item).toEqual(item);
  });
});

test('a deadline is converted to the command of its type', () => {
  const now = at('2027-02-02');
  const row = deadline(subscription(), 'dunning_retry', at('2027-02-01'), 2, { slot: 2 });
  expect(row).toMatchObject({
    rank: 4,
    state: 'ready',
    attempts: 0,
    notBefore: null,
    id: `dunning_retry:${row.subscriptionId}:2`,
  });
  expect(commandOf(row, now)).toEqual({
    kind: 'dunning_retry',
    subscriptionId: row.subscriptionId,
    deadlineId: row.id,
    slot: 2,
    dueAt: at('2027-02-01'),
    now,
  });
  expect(() => commandOf({ ...row, data: {} }, now)).toThrow('no dunning slot');
  const end = deadline(subscription(), 'period_end', at('2027-02-01'));
  expect(commandOf(end, now)).toEqual({
    kind: 'period_end',
    subscriptionId: end.subscriptionId,
    deadlineId: end.id,
    dueAt: at('2027-02-01'),
    now,
  });
});
