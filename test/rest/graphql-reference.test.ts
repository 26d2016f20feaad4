import { randomUUID } from 'node:crypto';
import {
  type FieldNode,
  getOperationAST,
  getVariableValues,
  Kind,
  parse,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleDocument, GraphqlExamples, rootFieldsOf } from '../../src/rest/graphql-examples.ts';
import { schema } from '../../src/schema.ts';
import { backgroundSettled } from '../support/background.ts';
import { everyFew } from '../support/every-few.ts';
import { type Shop, shopOf } from '../support/factories.ts';
import { needsLiveKey, type RootField, rootFields } from '../support/fields.ts';
import { startApp, type Tenant, type TestApp } from '../support/harness.ts';
import { exampleSettled } from '../support/operations/example-shop.ts';
import { memberOf, type Session } from '../support/people.ts';
import { routes } from '../support/queries.ts';

// Sends every documented operation unchanged. Operations without a route are also sent with existing objects.

let t: TestApp;
let shop: Shop;
let tenant: Tenant;
let owner: Session;

async function openShop(): Promise<void> {
  tenant = await t.otherTenant();
  shop = shopOf(t, tenant.sandboxKey, tenant.sandboxId);
  owner = await memberOf(t, tenant.organizationId, 'owner');
}

// Advancing an organization's clock renews the subscriptions from earlier operations.
const nextShop = everyFew(40, openShop);

beforeAll(async () => {
  t = await startApp({ env: { SIGN_INS_PER_MINUTE: '0' } });
  await nextShop();
});
afterAll(() => t.close());

const examples = new GraphqlExamples(schema);
const roots = rootFieldsOf(schema);
const fieldNamed = (name: string): RootField => {
  const field = rootFields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${name} is no root field.`);
  return field;
};

function headersFor({ access }: RootField): Record<string, string> {
  if (needsLiveKey({ access })) return { 'x-api-key': tenant.liveKey };
  if ('scope' in access || 'authenticated' in access) return { 'x-api-key': shop.key };
  if ('member' in access)
    return {
      ...owner.headers,
      'x-environment': access.environment ?? 'sandbox',
      'x-organization': tenant.organizationId,
    };
  if ('person' in access) return { ...owner.headers };
  return 'anonymous' in access && access.isKeyed === true ? { 'idempotency-key': randomUUID() } : {};
}

type Failure = { readonly message: string; readonly extensions: { readonly code: string } };

/** Returns a field's first error. `null` if the field has no error. */
async function failureOf(field: RootField, query: string, variables: object): Promise<Failure | null> {
  const isLive = field.kind === 'live';
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(isLive ? { accept: 'text/event-stream' } : {}),
      ...headersFor(field),
    },
    body: JSON.stringify({ query, variables }),
  });
  if (!isLive || response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const { errors = [] } = (await response.json()) as { errors?: readonly Failure[] };
    return errors[0] ?? null;
  }
  const reader = response.body?.getReader();
  const text = new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  const [, data] = /^data: (\{.*"errors".*)$/m.exec(text) ?? [];
  return data === undefined ? null : ((JSON.parse(data) as { errors: Failure[] }).errors[0] ?? null);
}

/** Returns the arguments that an operation passes to its only field, by name. */
function argumentsIn(text: string, variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const node = getOperationAST(parse(text))?.selectionSet.selections[0] as FieldNode;
  return Object.fromEntries(
    (node.arguments ?? [])
      .filter(({ value }) => value.kind !== Kind.VARIABLE || variables[value.name.value] !== undefined)
      .map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
  );
}

/** Fields whose objects this test doesn't create, such as links and people. */
const absent = new Set([
  'appConnectionApprove',
  'appConnectionDeny',
  'appConnectionRequest',
  'approvalDecide',
  'claimLink',
  'deviceLogin',
  'deviceLoginApprove',
  'deviceLoginDeny',
  'organizationClaim',
  'memberInvitation',
  'memberInvitationAccept',
  'memberInvitationCancel',
  'memberRemove',
  'memberRoleSet',
  'organizationArchive',
  'passkeyRemove',
  'passkeyUpdate',
  'savedViewDelete',
  'sessionEnd',
]);

/** Acceptable error codes: the organization has an owner, the environment is a sandbox, and some routes are archived. */
const acceptable: readonly unknown[] = [
  undefined,
  'endpoint_deprecated',
  'payouts_not_available_in_sandbox',
  'organization_already_claimed',
];

/** every-route.test.ts calls fields that have a route with existing objects. */
const routed = new Set(routes.map(({ field }) => field.name));

describe.each(roots.map((root) => [root.field.name, root] as const))(
  'the reference example for %s',
  (name, root) => {
    const { document, variables, answer } = examples.of(root);

    test('matches the schema and is accepted unchanged', async () => {
      const parsed = parse(document);
      expect(validate(schema, parsed)).toEqual([]);
      const definitions = getOperationAST(parsed)?.variableDefinitions ?? [];
      expect(getVariableValues(schema, definitions, variables).errors).toBeUndefined();
      expect(Object.keys(answer as object)).toEqual(['data']);
      // The example run fails at its first step, because the organization contains a conflicting object.
      if (name === 'sandboxExampleLoad') await fieldNamed(name).make(shop);
      // Another example creates a boolean feature with the code in this example.
      if (name === 'featureMeterPreview') await openShop();
      if (name === 'sandboxReset') await exampleSettled(shop);
      const failure = await failureOf(fieldNamed(name), document, variables);
      expect(['validation_error', 'internal_error'], failure?.message).not.toContain(
        failure?.extensions.code,
      );
    });

    test.skipIf(routed.has(name))('returns data if its objects exist', async () => {
      await nextShop();
      const field = fieldNamed(name);
      const { operation } = await field.make(shop);
      await backgroundSettled(t.app.database.query);
      const values = argumentsIn(operation.text, operation.variables);
      const failure = await failureOf(field, exampleDocument(schema, root, Object.keys(values)), values);
      // Sent without confirmation, because a reset would delete objects from other operations.
      if (name === 'sandboxReset') expect(failure?.extensions.code).toBe('validation_error');
      else if (absent.has(name)) expect(failure?.extensions.code).toMatch(/not_found$|^claim_not_pending$/);
      else expect(acceptable, failure?.message).toContain(failure?.extensions.code);
    });
  },
);

test('the schema is available as text, and clients with a current copy receive 304', async () => {
  const served = await fetch(`${t.url}/graphql/schema.graphql`);
  expect([served.status, served.headers.get('cache-control'), served.headers.get('content-type')]).toEqual([
    200,
    'public, max-age=300',
    'application/graphql; charset=utf-8',
  ]);
  expect(await served.text()).toContain('@amount(scale: MINOR)');
  const again = await fetch(served.url, { headers: { 'if-none-match': served.headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});
