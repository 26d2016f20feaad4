import { describe, expect, test } from 'vitest';
import { scopes } from '../src/domain/limits/permissions.ts';
import { accessTable } from './support/access-table.ts';
import { type RootField, rootFields } from './support/fields.ts';

const named = (name: string): RootField => {
  const field = rootFields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`There is no operation ${name}.`);
  return field;
};

/** Operations that determine where money goes, which tax is charged, and the people who can act for the organization. */
const aboutMoney = [
  'connectedAccountCreate',
  'connectedAccountUpdate',
  'paymentRouteSet',
  'payoutBankAccountAdd',
  'payoutCancel',
  'payoutCreate',
  'taxRegistrationCreate',
  'taxRegistrationDelete',
];

describe('the access table', () => {
  test('matches the reviewed file (PLT-7a)', async () => {
    await expect(await accessTable(rootFields)).toMatchFileSnapshot('./access-table.txt');
  });

  test('requires write, finance, the admin role, and recent authentication for operations that determine where money goes (PLT-7a)', () => {
    const open = ['payoutCancel', 'payoutCreate'];
    expect(aboutMoney.map((name) => [name, named(name).access])).toEqual(
      aboutMoney.map((name) => [
        name,
        {
          scope: ['write', 'finance'],
          role: 'admin',
          proof: true,
          // Members with the role `finance` can pay out to the bank account that an admin has added.
          ...(open.includes(name) && { also: 'finance' }),
        },
      ]),
    );
  });

  test('requires more than the read scope for every mutation (PLT-13)', () => {
    const reading = rootFields.filter(
      ({ access, kind }) => kind === 'mutation' && 'scope' in access && access.scope === 'read',
    );
    expect(reading.map(({ name }) => name)).toEqual([]);
  });

  test('uses every scope for at least one operation', () => {
    const used = new Set(
      rootFields.flatMap(({ access }) => ('scope' in access ? [access.scope].flat() : [])),
    );
    expect([...used].sort()).toEqual([...scopes].sort());
  });
});
