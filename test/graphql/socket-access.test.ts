import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MemberRole as Role } from '../../src/domain/limits/member-roles.ts';
import type { Scope } from '../../src/domain/limits/permissions.ts';
import { createApiKey } from '../../src/modules/organization/api-keys/create.ts';
import { watchChanges } from '../support/changes.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { memberOf } from '../support/people.ts';
import { openSocket } from '../support/socket.ts';

// The same access rules apply to sockets and HTTP. See also test/access-table.txt.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const balance = '{ payoutBalance { available } }';
const ledger = '{ invoices(first: 1) { edges { node { id ledger { id } } } } }';
const keys = '{ apiKeys { edges { node { id } } } }';
const settings = 'mutation { organizationUpdate(input: { name: "Taken over" }) { name } }';

/** Opens a socket with this payload and returns the error code of an operation on it. */
async function codeOver(payload: object, query: string): Promise<unknown> {
  const { send, next, socket } = await openSocket(t);
  send({ type: 'connection_init', payload });
  expect((await next()).type).toBe('connection_ack');
  send({ type: 'subscribe', id: '1', payload: { query } });
  const { payload: answer } = (await next()) as {
    payload: { errors?: { extensions: { code: string } }[] } | { extensions: { code: string } }[];
  };
  socket.close();
  const [error] = Array.isArray(answer) ? answer : (answer.errors ?? []);
  return error?.extensions.code ?? null;
}

const keyWith = async (...scopes: Scope[]): Promise<string> =>
  (await createApiKey(await t.context(), { name: 'socket', scopes })).apiKey;

it('a GraphQL socket rejects a key without the scope of an operation or of a selected object (PLT-13, PLT-13a)', async () => {
  const [read, finance] = [await keyWith('read'), await keyWith('finance')];
  const told = async (apiKey: string) => [
    await codeOver({ apiKey }, balance),
    await codeOver({ apiKey }, ledger),
    await codeOver({ apiKey }, keys),
  ];
  expect(await told(read)).toEqual(['forbidden', 'forbidden', 'forbidden']);
  expect(await told(finance)).toEqual([null, 'forbidden', 'forbidden']);
  expect(await told(t.sandboxKey)).toEqual([null, null, null]);
});

it('a GraphQL socket rejects members if the operation requires an admin (PLT-6)', async () => {
  const told = async (role: Role): Promise<unknown> => {
    const person = await memberOf(t, t.organizationId, role);
    const { liveTicketCreate } = await t.graphql<{ liveTicketCreate: { ticket: string } }>(
      'mutation { liveTicketCreate { ticket } }',
      {},
      { key: null, headers: { ...person.headers, 'x-environment': 'live' } },
    );
    return codeOver({ ticket: liveTicketCreate.ticket }, keys);
  };
  expect([await told('member'), await told('admin'), await told('owner')]).toEqual(['forbidden', null, null]);
});

it('a GraphQL socket rejects mutations from every caller', async () => {
  const changes = await watchChanges(t.app.database.query);
  expect(await codeOver({ apiKey: t.liveKey }, settings)).toBe('validation_error');
  expect((await changes()).filter((change) => !change.includes('lastUsedAt'))).toEqual([]);
});
