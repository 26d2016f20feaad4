import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { createApiKey } from './create.ts';
import { deleteApiKey } from './delete.ts';
import { ApiKey, ApiKeyScope } from './types.ts';

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

deletionField('apiKeyDelete', {
  of: 'an API key',
  reference: 'ID of the key, not its secret.',
  description:
    'Revokes an API key immediately and permanently. A key can delete itself. WebSocket connections that were opened with the key are closed.',
  path: '/api-keys/{id}',
  errors: ['api_key_not_found'],
  access: { scope: 'keys', proof: true },
  delete: (ctx, id) => deleteApiKey(ctx, id),
});
