import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { createApiKey } from './create.ts';
import { deleteApiKey } from './delete.ts';
import { ApiKey, ApiKeyScope } from './types.ts';

const ApiKeyCreateInput = builder.inputType('ApiKeyCreateInput', {
  description: 'A new API key.',
  fields: (t) => ({
    name: t.string({ required: true, rule: name, description: 'What it is for, 1 to 200 characters.' }),
    expiresInDays: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 36_500 },
      description: 'Whole days until it expires, 1 to 36 500. Never by default.',
    }),
    scopes: t.field({
      type: [ApiKeyScope],
      rule: { minItems: 1, maxItems: 4, graphqlOnly: true },
      description: 'What it may do. Defaults to everything. Not offered over REST.',
    }),
  }),
});

builder.mutationField('apiKeyCreate', (t) =>
  t.field({
    type: ApiKey,
    description:
      'Makes an API key of the environment. Its secret is in `apiKey` of this answer and nowhere afterwards.',
    rest: { method: 'POST', path: '/api-keys', status: 201, view: 'CreatedApiKey', secret: true },
    access: { scope: 'keys', proof: true },
    args: { input: t.arg({ type: ApiKeyCreateInput, required: true, description: 'The new key.' }) },
    resolve: (_root, { input }, ctx) => createApiKey(ctx, input),
  }),
);

const ApiKeyDeleteInput = builder.inputType('ApiKeyDeleteInput', {
  description: 'Which API key to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the key, not its secret.' }) }),
});

builder.mutationField('apiKeyDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Revokes an API key immediately and permanently; a key may delete itself. Sockets opened with it are closed.',
    rest: { method: 'DELETE', path: '/api-keys/{id}', view: 'DeletedObject', errors: ['api_key_not_found'] },
    access: { scope: 'keys', proof: true },
    args: { input: t.arg({ type: ApiKeyDeleteInput, required: true, description: 'The key.' }) },
    resolve: (_root, { input }, ctx) => deleteApiKey(ctx, input.id),
  }),
);
