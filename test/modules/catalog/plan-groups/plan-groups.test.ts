import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { operations, planGroupScene } from './scene.ts';

let now = new Date('2026-03-01T08:00:00.000Z');

describe('the plan group API', () => {
  let t: TestApp;
  let scene: ReturnType<typeof planGroupScene>;
  beforeAll(async () => {
    t = await startApp({ wall: { now: () => now } });
    scene = planGroupScene(t);
  });
  afterAll(() => t.close());

  const bare = {
    id: expect.stringMatching(/^plg_[0-9A-Za-z]{22}$/),
    name: 'Teams',
    description: null,
    isPublic: true,
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
    plans: [],
    object: 'plan_group',
    livemode: false,
  };
  const unknown = {
    code: 'plan_group_not_found',
    status: 404,
    message: "The plan group doesn't exist in this environment.",
    param: 'id',
  };
  const unknownParent = { ...unknown, param: 'planGroupId' };

  it('creates public and empty groups by default, and stores every provided value', async () => {
    const made = await scene.group();
    expect(made).toEqual(bare);
    expect(await t.graphql(operations.get, { id: made.id })).toEqual({ planGroup: made });
    const said = { name: 'Hidden', description: 'For partners', isPublic: false };
    expect(await scene.group(said)).toEqual({ ...bare, ...said });
    // Names don't have to be unique.
    expect((await scene.group()).id).not.toBe(made.id);
  });

  it("doesn't find another environment's groups", async () => {
    const live = await scene.group({}, { key: t.liveKey });
    expect(live).toMatchObject({ livemode: true });
    expect(await rejection(t, operations.get, { id: live.id })).toEqual(unknown);
    expect(
      await rejection(t, operations.createPlan, { input: { code: 'x', name: 'x', planGroupId: live.id } }),
    ).toEqual({
      ...unknown,
      param: 'planGroupId',
    });
  });

  it('lists groups from newest to oldest, including hidden groups', async () => {
    const [first, second] = [await scene.group({ isPublic: false }), await scene.group()];
    const list = '{ planGroups(first: 2) { edges { node { id } } pageInfo { hasNextPage } } }';
    expect(await t.graphql(list)).toEqual({
      planGroups: {
        edges: [{ node: { id: second.id } }, { node: { id: first.id } }],
        pageInfo: { hasNextPage: true },
      },
    });
  });

  it('removes all plans from a deleted group, including deleted plans, and no longer finds the group', async () => {
    const { id } = await scene.group();
    const [kept, retired] = [
      await scene.plan('kept', { planGroupId: id }),
      await scene.plan('retired', { planGroupId: id }),
    ];
    await t.graphql(operations.deletePlan, { id: retired.id });
    now = new Date('2026-03-03T08:00:00.000Z');
    expect(await t.graphql(operations.remove, { id })).toEqual({
      planGroupDelete: { id, deleted: true, object: 'plan_group', livemode: false },
    });
    expect(await t.graphql(operations.getPlan, { id: kept.id })).toEqual({
      plan: { sortOrder: 0, planGroupId: null, updatedAt: '2026-03-03T08:00:00.000Z', planGroup: null },
    });
    const places =
      'SELECT code, "planGroupId", "sortOrder", "deletedAt" IS NULL AS living FROM "Plan" WHERE id = ANY($1) ORDER BY code';
    expect(await t.app.database.query(places, [[kept.id, retired.id]])).toEqual([
      { code: 'kept', planGroupId: null, sortOrder: 0, living: true },
      { code: 'retired', planGroupId: null, sortOrder: 0, living: false },
    ]);
    expect(await rejection(t, operations.get, { id })).toEqual(unknown);
    expect(await rejection(t, operations.remove, { id })).toEqual(unknown);
    expect(await rejection(t, operations.update, { input: { id, name: 'x' } })).toEqual(unknown);
    expect(await rejection(t, operations.add, { input: { planGroupId: id, planId: kept.id } })).toEqual(
      unknownParent,
    );
    expect(await rejection(t, operations.take, { input: { planGroupId: id, planId: kept.id } })).toEqual(
      unknownParent,
    );
    expect(await rejection(t, operations.reorder, { input: { id, planIds: [] } })).toEqual(unknown);
    const { planGroups } = await t.graphql<{ planGroups: { edges: { node: { id: string } }[] } }>(
      '{ planGroups(first: 100) { edges { node { id } } } }',
    );
    expect(planGroups.edges.map(({ node }) => node.id)).not.toContain(id);
  });
});
