import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedClock } from '../../../../src/platform/clock.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const fields = 'id code name type description unitName createdAt updatedAt object livemode';
const create = `mutation ($input: FeatureCreateInput!) { featureCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: FeatureUpdateInput!) { featureUpdate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($code: String!) { featureDelete(input: { code: $code }) { id: deletedId deleted object livemode } }';
const get = `query ($code: String!) { feature(code: $code) { ${fields} } }`;

type Feature = { id: string; code: string; name: string };

const now = new Date('2026-03-01T08:00:00.000Z');

describe('the feature API', () => {
  let t: TestApp;
  const make = async (code: string, more: Record<string, unknown> = {}): Promise<Feature> =>
    (
      await t.graphql<{ featureCreate: Feature }>(create, {
        input: { code, name: `Name of ${code}`, type: 'usage', ...more },
      })
    ).featureCreate;

  beforeAll(async () => {
    t = await startApp({ wall: fixedClock(now) });
  });
  afterAll(() => t.close());

  it('creates features with all text fields, and returns them by code', async () => {
    const made = await make('exports', { description: 'PDF exports', unitName: 'export' });
    const feature = {
      id: expect.stringMatching(/^ftr_[0-9A-Za-z]{22}$/),
      code: 'exports',
      name: 'Name of exports',
      type: 'usage',
      description: 'PDF exports',
      unitName: 'export',
      createdAt: '2026-03-01T08:00:00.000Z',
      updatedAt: '2026-03-01T08:00:00.000Z',
      object: 'feature',
      livemode: false,
    };
    expect(made).toEqual(feature);
    expect(await t.graphql(get, { code: 'exports' })).toEqual({ feature });
    expect(await make('sso', { type: 'boolean' })).toMatchObject({
      type: 'boolean',
      description: null,
      unitName: null,
    });
  });

  it('changes only the provided text fields, and clears text fields that are null', async () => {
    const { id } = await make('seats_of_team', { type: 'seats', description: 'old', unitName: 'seat' });
    const changed = await t.graphql(update, {
      input: { code: 'seats_of_team', name: 'Team seats', description: null },
    });
    expect(changed).toEqual({
      featureUpdate: {
        id,
        code: 'seats_of_team',
        name: 'Team seats',
        type: 'seats',
        description: null,
        unitName: 'seat',
        createdAt: '2026-03-01T08:00:00.000Z',
        updatedAt: '2026-03-01T08:00:00.000Z',
        object: 'feature',
        livemode: false,
      },
    });
    expect(await t.graphql(update, { input: { code: 'seats_of_team', name: 'Team seats' } })).toEqual(
      changed,
    );
  });

  it('rejects an update without changes, a name that is already used, and an unknown code', async () => {
    await make('taken_a');
    await make('taken_b');
    expect(await rejection(t, update, { input: { code: 'taken_a' } })).toMatchObject({
      code: 'validation_error',
      status: 400,
      param: 'name',
      details: [{ field: 'name', message: 'Provide at least one of name, description, and unitName.' }],
    });
    expect(await rejection(t, update, { input: { code: 'taken_a', name: 'Name of taken_b' } })).toMatchObject(
      {
        code: 'feature_already_exists',
        param: 'name',
      },
    );
    expect(await rejection(t, update, { input: { code: 'nowhere', name: 'x' } })).toMatchObject({
      code: 'feature_not_found',
      status: 404,
      param: 'code',
    });
    expect(await rejection(t, update, { input: { code: 'taken_a', name: null } })).toMatchObject({
      code: 'validation_error',
      details: [{ field: 'name', message: 'must not be null' }],
    });
  });

  it('rejects the deletion of a feature that a plan includes', async () => {
    const { id } = await make('kept');
    const plan = 'mutation { planCreate(input: { code: "keeper", name: "Keeper" }) { id } }';
    await t.graphql(plan);
    await t.graphql(
      'mutation ($id: ID!) { planFeatureAdd(input: { planId: "keeper", featureId: $id }) { featureId } }',
      { id },
    );
    expect(await rejection(t, remove, { code: 'kept' })).toEqual({
      code: 'feature_in_use',
      status: 409,
      message: 'A plan includes this feature. Remove the feature from the plan first.',
      param: 'code',
    });
    await t.graphql('mutation { planDelete(input: { id: "keeper" }) { deletedId } }');
    expect(await t.graphql(remove, { code: 'kept' })).toEqual({
      featureDelete: { id, deleted: true, object: 'feature', livemode: false },
    });
  });

  it('rejects the deletion of a feature that an add-on provides (CAT-3)', async () => {
    const { id } = await make('sold');
    const input = { name: 'Sold', basePrice: 100, featureId: id, consumptionModel: 'boolean' };
    await t.graphql('mutation ($input: AddonCreateInput!) { addonCreate(input: $input) { id } }', { input });
    expect(await rejection(t, remove, { code: 'sold' })).toEqual({
      code: 'feature_in_use',
      status: 409,
      message: 'This feature is sold as an add-on. Delete the add-on first.',
      param: 'code',
    });
    await t.graphql('mutation { addonDelete(input: { id: "sold" }) { deletedId } }');
    expect(await t.graphql(remove, { code: 'sold' })).toEqual({
      featureDelete: { id, deleted: true, object: 'feature', livemode: false },
    });
  });

  it('either attaches or deletes the feature if both are requested concurrently', async () => {
    await t.graphql('mutation { planCreate(input: { code: "race", name: "Race" }) { id } }');
    for (let round = 0; round < 5; round++) {
      const { id } = await make(`contested_${round}`);
      const outcomes = await Promise.allSettled([
        t.graphql(
          'mutation ($id: ID!) { planFeatureAdd(input: { planId: "race", featureId: $id }) { featureId } }',
          { id },
        ),
        t.graphql(remove, { code: `contested_${round}` }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const [left] = await t.app.database.query<{ deleted: boolean; attached: boolean }>(
        `SELECT f."deletedAt" IS NOT NULL AS deleted, EXISTS (SELECT 1 FROM "PlanFeature" p WHERE p."environmentId" = f."environmentId" AND p."featureId" = f.id) AS attached FROM "Feature" f WHERE id = $1`,
        [id],
      );
      expect(left?.deleted).toBe(left?.attached === false);
    }
  });

  it('lists features from newest to oldest, without deleted features and up to 1,000 by default', async () => {
    const other = await t.otherTenant();
    const codes = Array.from({ length: 30 }, (_, index) => `listed_${index}`);
    for (const code of codes)
      await t.graphql(create, { input: { code, name: code, type: 'usage' } }, { key: other.sandboxKey });
    await t.graphql(remove, { code: 'listed_3' }, { key: other.sandboxKey });
    const list =
      'query ($first: Int, $after: String) { features(first: $first, after: $after) { edges { cursor node { code } } pageInfo { hasNextPage endCursor } } }';
    type Page = {
      features: {
        edges: { node: { code: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    };
    const all = await t.graphql<Page>(list, {}, { key: other.sandboxKey });
    const expected = codes.filter((code) => code !== 'listed_3').reverse();
    expect(all.features.edges.map(({ node }) => node.code)).toEqual(expected);
    expect(all.features.pageInfo.hasNextPage).toBe(false);
    const first = await t.graphql<Page>(list, { first: 20 }, { key: other.sandboxKey });
    const second = await t.graphql<Page>(
      list,
      { first: 20, after: first.features.pageInfo.endCursor },
      { key: other.sandboxKey },
    );
    expect([...first.features.edges, ...second.features.edges].map(({ node }) => node.code)).toEqual(
      expected,
    );
    expect(first.features.pageInfo.hasNextPage).toBe(true);
  });
});
