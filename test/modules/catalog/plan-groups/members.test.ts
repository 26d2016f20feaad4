import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { operations, planGroupScene } from './scene.ts';

let now = new Date('2026-03-01T08:00:00.000Z');

let t: TestApp;
let scene: ReturnType<typeof planGroupScene>;
beforeAll(async () => {
  t = await startApp({ wall: { now: () => now } });
  scene = planGroupScene(t);
});
afterAll(() => t.close());

const notFound = { code: 'plan_not_found', status: 404, param: 'planId' };

describe('planGroupPlanAdd', () => {
  it('adds the plan at the end, at the requested rank, or when the plan is created', async () => {
    const { id } = await scene.group({ name: 'Entering' });
    const [bottom, top] = [await scene.plan('bottom'), await scene.plan('top')];
    now = new Date('2026-03-02T08:00:00.000Z');
    expect(await scene.add(id, bottom.id)).toEqual({
      planGroupPlanAdd: {
        success: true,
        object: 'plan_group_membership',
        livemode: false,
        planGroup: { id, plans: [{ id: bottom.id }] },
      },
    });
    // Identifies the plan by code. Ranks can have gaps and start at 0.
    await scene.add(id, 'top', 20);
    await scene.plan('lowest');
    await scene.add(id, 'lowest', 0);
    expect(await scene.plan('created', { planGroupId: id })).toMatchObject({
      planGroupId: id,
      sortOrder: 21,
    });
    expect(await scene.ranks(id)).toEqual([
      ['lowest', 0],
      ['bottom', 1],
      ['top', 20],
      ['created', 21],
    ]);
    expect(await t.graphql(operations.getPlan, { id: top.id })).toEqual({
      plan: {
        sortOrder: 20,
        planGroupId: id,
        updatedAt: '2026-03-02T08:00:00.000Z',
        planGroup: { id, name: 'Entering' },
      },
    });
  });

  it("rejects a plan that is already in a group, and a plan that doesn't exist", async () => {
    const [group, other] = [await scene.group(), await scene.group()];
    const plan = await scene.plan('taken', { planGroupId: group.id });
    const twice = { code: 'duplicate', status: 409, param: 'planId' };
    expect(await rejection(t, operations.add, { input: { planGroupId: group.id, planId: plan.id } })).toEqual(
      {
        ...twice,
        message:
          'The plan is already in this group. A plan can be in only one plan group. To move the plan, remove it from its current group first.',
      },
    );
    expect(await rejection(t, operations.add, { input: { planGroupId: other.id, planId: 'taken' } })).toEqual(
      {
        ...twice,
        message:
          'The plan is already in another group. A plan can be in only one plan group. To move the plan, remove it from its current group first.',
      },
    );
    const message = "The plan doesn't exist or can't be selected.";
    expect(
      await rejection(t, operations.add, { input: { planGroupId: other.id, planId: 'pln_none' } }),
    ).toEqual({
      ...notFound,
      message,
    });
    await t.graphql(operations.deletePlan, { id: plan.id });
    expect(await rejection(t, operations.add, { input: { planGroupId: other.id, planId: plan.id } })).toEqual(
      {
        ...notFound,
        message,
      },
    );
  });

  it('rejects a rank that is already used or out of bounds', async () => {
    const { id } = await scene.group();
    await scene.plan('first', { planGroupId: id });
    await scene.plan('second');
    expect(
      await rejection(t, operations.add, { input: { planGroupId: id, planId: 'second', sortOrder: 1 } }),
    ).toEqual({
      code: 'duplicate',
      status: 409,
      message: 'Another plan in the group already has this sort order. Choose another sort order.',
      param: 'sortOrder',
    });
    for (const [sortOrder, message] of [
      [-1, 'must be at least 0'],
      [1_000_001, 'must be at most 1000000'],
    ]) {
      expect(
        await rejection(t, operations.add, { input: { planGroupId: id, planId: 'second', sortOrder } }),
      ).toMatchObject({
        code: 'validation_error',
        details: [{ field: 'sortOrder', message }],
      });
    }
    await scene.add(id, 'second', 1_000_000);
    expect(await scene.plan('third', { planGroupId: id })).toMatchObject({ sortOrder: 1_000_001 });
  });

  it("rejects a plan whose consumption model differs from the model of the group's plans, even if the group's plans are deleted", async () => {
    const { id } = await scene.group();
    const metered = await scene.plan('metered', { planGroupId: id });
    await scene.plan('prepaid', { consumptionModel: 'credits' });
    const message = 'The plans in this group are metered plans, but this plan is a credits plan.';
    const rejected = { code: 'validation_error', status: 400, message };
    expect(await rejection(t, operations.add, { input: { planGroupId: id, planId: 'prepaid' } })).toEqual({
      ...rejected,
      param: 'planId',
      details: [{ field: 'planId', message }],
    });
    await t.graphql(operations.deletePlan, { id: metered.id });
    const input = { code: 'prepaid-too', name: 'x', consumptionModel: 'credits', planGroupId: id };
    expect(await rejection(t, operations.createPlan, { input })).toEqual({
      ...rejected,
      param: 'planGroupId',
      details: [{ field: 'planGroupId', message }],
    });
  });
});

describe('planGroupPlanRemove', () => {
  it('keeps the ranks of the remaining plans', async () => {
    const { id } = await scene.group();
    const [low, middle, high] = [
      await scene.plan('low', { planGroupId: id }),
      await scene.plan('middle', { planGroupId: id }),
      await scene.plan('high', { planGroupId: id }),
    ];
    now = new Date('2026-03-04T08:00:00.000Z');
    expect(await t.graphql(operations.take, { input: { planGroupId: id, planId: 'middle' } })).toEqual({
      planGroupPlanRemove: {
        id: middle.id,
        removed: true,
        object: 'plan_group_membership',
        livemode: false,
        planGroup: { id, plans: [{ id: low.id }, { id: high.id }] },
      },
    });
    expect(await scene.ranks(id)).toEqual([
      ['low', 1],
      ['high', 3],
    ]);
    expect(await t.graphql(operations.getPlan, { id: middle.id })).toEqual({
      plan: { sortOrder: 0, planGroupId: null, updatedAt: '2026-03-04T08:00:00.000Z', planGroup: null },
    });
    // The removed plan's rank is available again.
    await scene.add(id, 'middle', 2);
  });

  it("rejects a plan that isn't in the group", async () => {
    const [group, other] = [await scene.group(), await scene.group()];
    const elsewhere = await scene.plan('elsewhere', { planGroupId: other.id });
    const message = "The plan isn't in this plan group.";
    for (const planId of [elsewhere.id, 'pln_none', (await scene.plan('alone')).id]) {
      expect(await rejection(t, operations.take, { input: { planGroupId: group.id, planId } })).toEqual({
        ...notFound,
        message,
      });
    }
  });
});

describe('planGroupReorder', () => {
  it("redistributes the existing ranks, and keeps a deleted plan's rank", async () => {
    const { id } = await scene.group();
    const [a, b, c, d] = [
      await scene.plan('a', { planGroupId: id }),
      await scene.plan('b', { planGroupId: id }),
      await scene.plan('c', { planGroupId: id }),
      await scene.plan('d', { planGroupId: id }),
    ];
    await t.graphql(operations.deletePlan, { id: b.id });
    expect(await scene.ranks(id)).toEqual([
      ['a', 1],
      ['c', 3],
      ['d', 4],
    ]);
    now = new Date('2026-03-05T08:00:00.000Z');
    expect(await t.graphql(operations.reorder, { input: { id, planIds: [c.id, 'a', d.id] } })).toEqual({
      planGroupReorder: {
        reordered: true,
        object: 'plan_group_order',
        livemode: false,
        planGroup: {
          id,
          plans: [
            { code: 'c', sortOrder: 1 },
            { code: 'a', sortOrder: 3 },
            { code: 'd', sortOrder: 4 },
          ],
        },
      },
    });
    const rows = 'SELECT code, "sortOrder", "updatedAt" FROM "Plan" WHERE id = ANY($1) ORDER BY code';
    expect(await t.app.database.query(rows, [[a.id, b.id, c.id, d.id]])).toEqual([
      { code: 'a', sortOrder: 3, updatedAt: now },
      { code: 'b', sortOrder: 2, updatedAt: new Date('2026-03-04T08:00:00.000Z') },
      { code: 'c', sortOrder: 1, updatedAt: now },
      // The deleted plan `b` and the plan `d` keep their ranks, so their rows don't change.
      { code: 'd', sortOrder: 4, updatedAt: new Date('2026-03-04T08:00:00.000Z') },
    ]);
  });

  it('rejects an order with a missing or repeated plan, or with a plan from outside the group', async () => {
    const { id } = await scene.group();
    const [one, two] = [
      await scene.plan('one', { planGroupId: id }),
      await scene.plan('two', { planGroupId: id }),
    ];
    const foreign = await scene.plan('foreign');
    const rejected = { code: 'validation_error', status: 400 };
    const lacks = `The list is missing these plans in the group: ${two.id}.`;
    expect(await rejection(t, operations.reorder, { input: { id, planIds: [one.id] } })).toEqual({
      ...rejected,
      message: lacks,
      param: 'planIds',
      details: [{ field: 'planIds', message: lacks }],
    });
    expect(
      await rejection(t, operations.reorder, { input: { id, planIds: [foreign.id, one.id, 'one'] } }),
    ).toEqual({
      ...rejected,
      message: "The plan isn't in this plan group. Remove the plan from the list.",
      param: 'planIds.0',
      details: [
        { field: 'planIds.0', message: "The plan isn't in this plan group. Remove the plan from the list." },
        { field: 'planIds.2', message: 'The plan is listed more than once. List each plan only once.' },
        { field: 'planIds', message: lacks },
      ],
    });
    expect(await rejection(t, operations.reorder, { input: { id, planIds: [] } })).toMatchObject({
      ...rejected,
      param: 'planIds',
    });
  });

  it('accepts an empty order for an empty group', async () => {
    const { id } = await scene.group();
    expect(await t.graphql(operations.reorder, { input: { id, planIds: [] } })).toMatchObject({
      planGroupReorder: { reordered: true },
    });
  });
});

describe('a plan group with concurrent requests', () => {
  it('gives each added or created plan its own rank', async () => {
    const { id } = await scene.group();
    for (const code of ['race-1', 'race-2', 'race-3']) await scene.plan(code);
    await Promise.all([
      ...['race-1', 'race-2', 'race-3'].map((code) => scene.add(id, code)),
      ...['race-4', 'race-5'].map((code) => scene.plan(code, { planGroupId: id })),
    ]);
    const ranks = await scene.ranks(id);
    expect(ranks.map(([, rank]) => rank)).toEqual([1, 2, 3, 4, 5]);
    expect(ranks.map(([code]) => code).toSorted()).toEqual([
      'race-1',
      'race-2',
      'race-3',
      'race-4',
      'race-5',
    ]);
  });

  it('adds a plan to only one of two groups', async () => {
    const [left, right] = [await scene.group(), await scene.group()];
    const plan = await scene.plan('wanted');
    const attempt = ({ id }: { id: string }) =>
      scene.add(id, plan.id).then(
        () => 'added',
        (error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1],
      );
    expect((await Promise.all([attempt(left), attempt(right)])).toSorted()).toEqual(['added', 'duplicate']);
    expect([...(await scene.ranks(left.id)), ...(await scene.ranks(right.id))]).toEqual([['wanted', 1]]);
  });

  it("doesn't contain a plan that is added while the group is deleted", async () => {
    const { id } = await scene.group();
    const plan = await scene.plan('late');
    const [, added] = await Promise.allSettled([
      t.graphql(operations.remove, { id }),
      scene.add(id, plan.id),
    ]);
    expect(['fulfilled', 'rejected']).toContain(added.status);
    expect(await t.graphql(operations.getPlan, { id: plan.id })).toMatchObject({
      plan: { planGroupId: null, sortOrder: 0 },
    });
  });
});
