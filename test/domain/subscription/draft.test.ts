import { describe, expect, test } from 'vitest';
import { simplePlan } from './catalog.ts';
import { at, draftOf, World } from './world.ts';

const pending = (): World => {
  const world = new World('2027-01-31', simplePlan('monthly', 3_400n));
  world.create(null, { planId: 'cove' });
  return world;
};

describe('a row in a decision draft', () => {
  test('keeps earlier changes if an outdated version of the row is changed', () => {
    const world = pending();
    const draft = draftOf(world.aggregate);
    const stale = world.subscription;
    draft.subscriptions.patch(stale.id, { scheduledChange: null, cancelReason: 'requested' });
    const row = draft.subscriptions.patch(stale.id, { endDate: at('2027-03-01') });
    expect(row).toEqual({ ...stale, cancelReason: 'requested', endDate: at('2027-03-01') });
    expect(draft.subscriptions.get(stale.id)).toBe(row);
    expect(draft.subscriptions.all()).toEqual([row]);
    expect(draft.done('done', stale.id).changes.subscriptions).toEqual(
      new Map([[stale.id, { flag: 'changed', row }]]),
    );
  });

  test("doesn't change the original aggregate", () => {
    const world = pending();
    const before = structuredClone(world.subscription);
    draftOf(world.aggregate).subscriptions.patch(before.id, { endDate: at('2027-03-01') });
    expect(world.subscription).toEqual(before);
  });

  test("is still new if it's changed after being added", () => {
    const world = pending();
    const draft = draftOf(world.aggregate);
    const added = draft.subscriptions.add({ ...world.subscription, id: 'sub_new', seq: null });
    const row = draft.subscriptions.patch(added.id, { successUrl: 'https://acme.test' });
    expect(draft.done('done', null).changes.subscriptions).toEqual(
      new Map([['sub_new', { flag: 'new', row: { ...added, successUrl: 'https://acme.test' } }]]),
    );
    expect(row.id).toBe('sub_new');
  });

  test('can be read or changed only if it exists', () => {
    const draft = draftOf(pending().aggregate);
    expect(draft.subscriptions.find('sub_none')).toBeNull();
    expect(() => draft.subscriptions.get('sub_none')).toThrow('no row sub_none');
    expect(() => draft.subscriptions.patch('sub_none', { endDate: null })).toThrow('no row sub_none');
  });
});
