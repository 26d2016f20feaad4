import { operationNames } from '../../../graphql/declare/areas.ts';
import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { createApiKey } from './create.ts';
import { deleteApiKey } from './delete.ts';
import { narrowPermissions } from './revoke-permissions.ts';
import { policyOf, setPolicy } from './set-policy.ts';
import { ApiKey, ApiKeyPolicy, ApiKeyScope } from './types.ts';

const permissionCount = { minItems: 1, maxItems: 52 } as const;
const permissionsDescription =
  "Permissions of the new key: an area and a scope, such as `usage:write`. `*` stands for all areas. From 1 to 52 values. An API key can grant only its own permissions. Can't be combined with `scopes`. Defaults to the permissions of the API key that sends the request, or to all permissions for members.";

const ApiKeyCreateInput = builder.inputType('ApiKeyCreateInput', {
  description: 'Parameters for creating an API key.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name that describes the purpose of the key, from 1 to 200 characters.',
    }),
    expiresInDays: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 36_500 },
      description:
        'Number of days until the key expires, from 1 to 36,500. By default, the key never expires.',
    }),
    scopes: t.field({
      type: [ApiKeyScope],
      rule: { minItems: 1, maxItems: 4, graphqlOnly: true },
      description:
        'Scopes of the new key. An API key can grant only its own scopes. Defaults to the scopes of the API key that sends the request, or to all scopes for members. Not available over REST.',
    }),
    permissions: t.stringList({
      rule: permissionCount,
      description: permissionsDescription,
    }),
  }),
});

builder.mutationField('apiKeyCreate', (t) =>
  t.field({
    type: ApiKey,
    description:
      'Creates an API key for the environment. The response is the only one that contains the secret (`apiKey`). A request with an API key can grant only scopes of that API key.',
    rest: { method: 'POST', path: '/api-keys', status: 201, view: 'CreatedApiKey', secret: true },
    access: { scope: 'keys', proof: true },
    args: { input: t.arg({ type: ApiKeyCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createApiKey(ctx, input),
  }),
);

const ApiKeyPermissionsNarrowInput = builder.inputType('ApiKeyPermissionsNarrowInput', {
  description: 'Parameters for removing permissions of an API key.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the key, not its secret.' }),
    permissions: t.stringList({
      required: true,
      rule: permissionCount,
      description:
        'Permissions that the key keeps: an area and a scope, such as `usage:write`. `*` stands for all areas. From 1 to 52 values.',
    }),
  }),
});

builder.mutationField('apiKeyPermissionsNarrow', (t) =>
  t.field({
    type: ApiKey,
    description:
      "Replaces the permissions of an API key with fewer permissions, effective immediately. The list contains the permissions to keep. Fails with `validation_error` if the list contains a permission that the key doesn't have: create another key instead.",
    rest: { method: 'PATCH', path: '/api-keys/{id}', view: 'ApiKey' },
    errors: ['api_key_not_found'],
    access: { scope: 'keys', proof: true },
    args: { input: t.arg({ type: ApiKeyPermissionsNarrowInput, required: true }) },
    resolve: (_root, { input: { id, permissions } }, ctx) => narrowPermissions(ctx, id, permissions),
  }),
);

deletionField('apiKeyDelete', {
  of: 'an API key',
  reference: 'ID of the key, not its secret.',
  description:
    'Revokes an API key immediately and permanently. A key can delete itself. WebSocket connections that were opened with the key are closed, and the limits of the key are deleted.',
  path: '/api-keys/{id}',
  errors: ['api_key_not_found'],
  access: { scope: 'keys', proof: true },
  delete: (ctx, id) => deleteApiKey(ctx, id),
});

const names = { maxItems: 50 } as const;
const cents = { minimum: 0, maximum: 99_999_999_999 } as const;

const ApiKeyPolicyOperationsInput = builder.inputType('ApiKeyPolicyOperationsInput', {
  description: 'Operations that an API key can call. Either `allow` or `deny` is required.',
  fields: (t) => ({
    allow: t.stringList({
      rule: names,
      description:
        'Names of operations, such as `transactionRefund`, and areas, such as `usage`. Up to 50 items.',
    }),
    deny: t.stringList({
      rule: names,
      description: 'Names of operations and areas to exclude. Up to 50 items.',
    }),
  }),
});

const ApiKeyPolicyMetadataInput = builder.inputType('ApiKeyPolicyMetadataInput', {
  description: 'Property that the metadata of a customer must have.',
  fields: (t) => ({
    key: t.string({
      required: true,
      rule: name,
      description: 'Key in the metadata, from 1 to 200 characters.',
    }),
    value: t.string({
      required: true,
      rule: name,
      description: 'Value of the key, from 1 to 200 characters.',
    }),
  }),
});

const ApiKeyPolicyCustomersInput = builder.inputType('ApiKeyPolicyCustomersInput', {
  description: 'Customers that an API key can name and change. Either `ids` or `metadata` is required.',
  fields: (t) => ({
    ids: t.idList({
      rule: { minItems: 1, maxItems: 1_000 },
      description: 'IDs of the customers. From 1 to 1,000 values.',
    }),
    metadata: t.field({ type: ApiKeyPolicyMetadataInput, description: 'Property of the metadata.' }),
  }),
});

const ApiKeyPolicySetInput = builder.inputType('ApiKeyPolicySetInput', {
  description: 'Parameters for replacing the policy of an API key. Omitted fields no longer limit the key.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the key, not its secret.' }),
    operations: t.field({
      type: ApiKeyPolicyOperationsInput,
      description: 'Operations that the key can call. Defaults to all operations that its scopes allow.',
    }),
    customers: t.field({
      type: ApiKeyPolicyCustomersInput,
      description: 'Customers that the key can name and change. Defaults to all customers.',
    }),
    maxAmountPerCall: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: cents,
      description:
        'Maximum amount of money that a call can move, in US cents. From 0 to 99,999,999,999. Defaults to no maximum.',
    }),
    maxAmountPerDay: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: cents,
      description:
        'Maximum amount of money that calls can move on a UTC day, in US cents. From 0 to 99,999,999,999. Defaults to no maximum.',
    }),
    maxCallsPerHour: t.field({
      type: 'Int',
      rule: { minimum: 0, maximum: 1_000_000 },
      description: 'Maximum number of mutations in 60 minutes, from 0 to 1,000,000. Defaults to no maximum.',
    }),
    approveAbove: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      rule: cents,
      description:
        'Amount in US cents above which a call needs the approval of a member. From 0 to 99,999,999,999. Defaults to no amount.',
    }),
    approveOperations: t.stringList({
      rule: names,
      description: 'Names of operations and areas that need the approval of a member. Up to 50 items.',
    }),
  }),
});

builder.mutationField('apiKeyPolicySet', (t) =>
  t.field({
    type: ApiKeyPolicy,
    description:
      "Replaces the policy of an API key. The policy limits the operations, customers, and money of the key over REST, GraphQL, and MCP. Only members with the role `admin` can set policies; API keys never can. An API key with a policy can't create API keys. Fails with `validation_error` if a list contains an unknown operation or area.",
    rest: { method: 'PUT', path: '/api-keys/{id}/policy', view: 'ApiKeyPolicy' },
    errors: ['api_key_not_found'],
    access: { member: 'admin', proof: true },
    args: { input: t.arg({ type: ApiKeyPolicySetInput, required: true }) },
    resolve: async (_root, { input }, ctx, info) =>
      policyOf(await setPolicy(ctx, input, operationNames(info.schema))),
  }),
);
