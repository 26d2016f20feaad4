import type { KeyPolicy, OperationList, PolicyCustomers } from '../../../domain/limits/key-policy.ts';
import { permissionsOf, type Scope, scopes } from '../../../domain/limits/permissions.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { listOperations } from './list-operations.ts';
import { policyOf } from './set-policy.ts';

export const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description: 'Permission of an API key.',
  values: {
    read: {
      description:
        'Permission to read everything except financial data, to check features, and to preview changes.',
    },
    write: { description: 'Permission to change everything that no other scope covers.' },
    finance: {
      description:
        'Permission to read financial data: payouts, balance, bank accounts, ledger, and metrics. Also allows refunds and, in combination with `write`, changes to payouts, bank accounts, payment connections, payment routes, and tax registrations.',
    },
    keys: { description: 'Permission to list, create, and delete API keys.' },
  } satisfies Record<Scope, { description: string }>,
});

/** Returns the secret of a newly created key. `null` if the key was created earlier. */
const secretOf = (key: object): string | null =>
  'apiKey' in key && typeof key.apiKey === 'string' ? key.apiKey : null;

const ApiKeyPolicyOperations = builder.objectRef<OperationList>('ApiKeyPolicyOperations').implement({
  description: 'Operations that an API key can call. Lists contain names of operations and areas.',
  fields: (t) => ({
    allow: t.field({
      type: ['String'],
      nullable: true,
      description: 'Operations that are allowed. `null` if the policy lists excluded operations.',
      resolve: (list) => ('allow' in list ? [...list.allow] : null),
    }),
    deny: t.field({
      type: ['String'],
      nullable: true,
      description: 'Operations that are excluded. `null` if the policy lists allowed operations.',
      resolve: (list) => ('deny' in list ? [...list.deny] : null),
    }),
  }),
});

const ApiKeyPolicyMetadata = builder
  .objectRef<{ readonly key: string; readonly value: string }>('ApiKeyPolicyMetadata')
  .implement({
    description: 'Property that the metadata of a customer must have.',
    fields: (t) => ({
      key: t.member('key', 'String').describe('Key in the metadata.'),
      value: t.member('value', 'String').describe('Value of the key.'),
    }),
  });

const ApiKeyPolicyCustomers = builder.objectRef<PolicyCustomers>('ApiKeyPolicyCustomers').implement({
  description: 'Customers that an API key can name and change.',
  fields: (t) => ({
    ids: t.field({
      type: ['ID'],
      nullable: true,
      description: 'IDs of the customers. `null` if the metadata determines the customers.',
      resolve: (customers) => ('ids' in customers ? [...customers.ids] : null),
    }),
    metadata: t.field({
      type: ApiKeyPolicyMetadata,
      nullable: true,
      description: 'Property of the metadata. `null` if the policy lists customers.',
      resolve: (customers) => ('metadata' in customers ? customers.metadata : null),
    }),
  }),
});

export const ApiKeyPolicy = builder.objectRef<KeyPolicy>('ApiKeyPolicy').implement({
  description:
    'Limits on the operations of an API key, which apply over every interface. Amounts are in US cents. Money in other currencies is converted at the rate of the day.',
  fields: (t) => ({
    operations: t
      .maybe('operations', ApiKeyPolicyOperations)
      .describe("Operations that the key can call. `null` if the policy doesn't limit them."),
    customers: t
      .maybe('customers', ApiKeyPolicyCustomers)
      .describe("Customers that the key can name and change. `null` if the policy doesn't limit them."),
    maxAmountPerCall: t
      .maybe('maxAmountPerCall', 'MINOR')
      .describe('Maximum amount of money that a call can move, in US cents. `null` if there is no maximum.'),
    maxAmountPerDay: t
      .maybe('maxAmountPerDay', 'MINOR')
      .describe(
        'Maximum amount of money that calls can move on a UTC day, in US cents. `null` if there is no maximum.',
      ),
    maxCallsPerHour: t
      .maybe('maxCallsPerHour', 'Int')
      .describe('Maximum number of mutations in 60 minutes. `null` if there is no maximum.'),
    approveAbove: t
      .maybe('approveAbove', 'MINOR')
      .describe(
        'Amount in US cents above which a call needs the approval of a member. `null` if no amount needs it.',
      ),
    approveOperations: t.field({
      type: ['String'],
      description: 'Operations and areas that need the approval of a member.',
      resolve: ({ approveOperations }) => [...approveOperations],
    }),
  }),
});

restView(
  'ApiKeyPolicy',
  'ApiKeyPolicy',
  'operations { allow deny } customers { ids metadata { key value } } maxAmountPerCall maxAmountPerDay maxCallsPerHour approveAbove approveOperations',
);

export const ApiKey = builder.prismaObject('ApiKey', {
  ...node({ prefix: 'key', access: { scope: 'keys' } }),
  description:
    'A secret that gives software access to one environment. All times are real time, independent of the test clock.',
  fields: (t) => ({
    ...t.columns('id', 'name'),
    apiKey: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Full secret, starting with `ck_live_` or `ck_sandbox_`. `null` except in the response of `apiKeyCreate`.',
      columns: [],
      resolve: secretOf,
    }),
    ...t.columns('prefix'),
    scopes: t.computed({
      type: [ApiKeyScope],
      description:
        'Scopes of the key. If `permissions` limits a scope to areas, the scope applies only to these areas.',
      columns: ['scopes'],
      resolve: (key) => scopes.filter((scope) => key.scopes.includes(scope)),
    }),
    permissions: t.computed({
      type: ['String'],
      description:
        'Permissions of the key: an area and a scope, such as `usage:write`. `*` stands for all areas. From 1 to 52 values.',
      columns: ['scopes', 'permissions'],
      resolve: (key) => [...permissionsOf(key)],
    }),
    operations: t.computed({
      type: ['String'],
      description:
        'Names of the operations that the key can call, according to its permissions, its policy, and its environment. Operations that need an approval are included.',
      columns: ['id', 'scopes', 'permissions', 'policy'],
      resolve: (key, _args, ctx, info) => listOperations(info.schema, key, ctx.livemode),
    }),
    policy: t.computed({
      type: ApiKeyPolicy,
      description: 'Limits on the operations of the key.',
      columns: ['policy'],
      resolve: (key) => policyOf(key),
    }),
    ...t.columns('expiresAt', 'lastUsedAt', 'createdAt'),
    ...t.resource('api_key'),
  }),
});

export const ApiKeyConnection = connectionOf('ApiKey', ApiKey, 'API keys');

restView('ApiKey', 'ApiKey', 'id name prefix expiresAt lastUsedAt createdAt object livemode');
restView('CreatedApiKey', 'ApiKey', 'id name apiKey prefix expiresAt createdAt object livemode');
