import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otherShop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { setClock } from '../../../support/stories.ts';

const fields = 'id country region rateBps createdAt object livemode';
const create = `mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($id: ID!) { taxRegistrationDelete(input: { id: $id }) { id: deletedId deleted object } }';
const list = '{ taxRegistrations { edges { node { country region rateBps } } } }';
type Registration = { id: string; country: string; region: string | null; rateBps: number | null };

describe('the tax registration API (BIL-20)', () => {
  let t: TestApp;
  const register = async (input: object, options = {}) =>
    (await t.graphql<{ taxRegistrationCreate: Registration }>(create, { input }, options))
      .taxRegistrationCreate;
  const listed = async (options = {}): Promise<string[]> => {
    const { taxRegistrations } = await t.graphql<{ taxRegistrations: { edges: { node: Registration }[] } }>(
      list,
      {},
      options,
    );
    return taxRegistrations.edges.map(({ node: { country, region, rateBps } }) =>
      [country, region ?? '-', rateBps ?? '-'].join(' '),
    );
  };

  beforeAll(async () => {
    t = await startApp();
    await setClock(t, '2027-03-01T09:00:00Z');
  });
  afterAll(() => t.close());

  it('creates registrations with a country and, optionally, a region and a rate', async () => {
    expect(await register({ country: 'DE' })).toEqual({
      id: expect.stringMatching(/^txr_[0-9A-Za-z]{22}$/),
      country: 'DE',
      region: null,
      rateBps: null,
      createdAt: '2027-03-01T09:00:00.000Z',
      object: 'tax_registration',
      livemode: false,
    });
    expect(await register({ country: 'US', region: 'california', rateBps: 825 })).toMatchObject({
      region: 'CA',
      rateBps: 825,
    });
    expect(await register({ country: 'US', region: null, rateBps: 0 })).toMatchObject({
      region: null,
      rateBps: 0,
    });
    expect(await register({ country: 'ES', region: 'es-tf' })).toMatchObject({ region: 'TF' });
    expect(await listed()).toEqual(['ES TF -', 'US - 0', 'US CA 825', 'DE - -']);
  });

  it('rejects a second registration for the same country or region in an environment', async () => {
    const duplicate = {
      code: 'duplicate',
      status: 409,
      message:
        'The organization already has a tax registration for this country or region. Delete the existing tax registration first.',
    };
    expect(await rejection(t, create, { input: { country: 'DE', rateBps: 700 } })).toEqual({
      ...duplicate,
      param: 'country',
    });
    expect(await rejection(t, create, { input: { country: 'US', region: 'US-CA' } })).toEqual({
      ...duplicate,
      param: 'region',
    });
    const other = await otherShop(t);
    expect(await register({ country: 'DE' }, { key: other.key })).toMatchObject({ country: 'DE' });
    expect(await listed({ key: other.key })).toEqual(['DE - -']);
    expect(await listed({ key: t.liveKey })).toEqual([]);
  });

  it.each([
    [
      { country: 'US' },
      'rateBps',
      'There is no standard rate for US. Set a rate, or choose a region that has a standard rate.',
    ],
    [
      { country: 'US', region: 'OR' },
      'rateBps',
      'There is no standard rate for OR. Set a rate, or choose a region that has a standard rate.',
    ],
    [
      { country: 'DE', region: 'BY' },
      'rateBps',
      'There is no standard rate for BY. Set a rate, or choose a region that has a standard rate.',
    ],
    [
      { country: 'AQ' },
      'rateBps',
      'There is no standard rate for AQ. Set a rate, or choose a region that has a standard rate.',
    ],
    [
      { country: 'US', region: 'Narnia', rateBps: 100 },
      'region',
      'US has no known region with this code or name. Use the code of a state or province.',
    ],
    [
      { country: 'DE', region: 'Bavaria', rateBps: 100 },
      'region',
      'DE has no known region with this code or name. Use the code of a state or province.',
    ],
    [{ country: 'DE', rateBps: 10_001 }, 'input.rateBps', undefined],
    [{ country: 'de' }, 'input.country', undefined],
  ])('rejects the input %j', async (input, param, message) => {
    expect(await rejection(t, create, { input })).toMatchObject({
      code: 'validation_error',
      status: 400,
      param: expect.stringMatching(new RegExp(`${param.replace('input.', '')}$`)),
      ...(message === undefined ? {} : { message }),
    });
  });

  it("deletes a registration once, and doesn't find other organizations' registrations", async () => {
    const other = await otherShop(t, 'Third organization');
    const { id } = await register({ country: 'FR' });
    const missing = {
      code: 'not_found',
      status: 404,
      message: "The tax registration doesn't exist in this environment.",
      param: 'id',
    };
    expect(await rejection(t, remove, { id }, { key: other.key })).toEqual(missing);
    expect(await t.graphql(remove, { id })).toEqual({
      taxRegistrationDelete: { id, deleted: true, object: 'tax_registration' },
    });
    expect(await rejection(t, remove, { id })).toEqual(missing);
    expect(await register({ country: 'FR' })).toMatchObject({ country: 'FR' });
  });
});
