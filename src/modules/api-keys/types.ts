import { type Scope, scopes } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';

export const ApiKeyScope = builder.enumType('ApiKeyScope', {
  description: 'What a key may do.',
  values: {
    read: { description: 'Read everything, check features, preview changes.' },
    write: { description: 'Change everything that no other scope covers.' },
    finance: { description: 'Refunds, payouts and bank accounts.' },
    keys: { description: 'List, create and delete API keys.' },
  } satisfies Record<Scope, { description: string }>,
});

/** The secret rides on the row only where the key has just been made. */
const secretOf = (key: object): string | null =>
  'apiKey' in key && typeof key.apiKey === 'string' ? key.apiKey : null;

export const ApiKey = builder.prismaObject('ApiKey', {
  ...node({ prefix: 'key', access: { scope: 'keys' } }),
  description:
    'A secret that lets a program act in one environment. Its times are operational: the test clock does not move them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `key_…`.' }),
    name: t.exposeString('name', { description: 'What the key is for.' }),
    apiKey: t.computed({
      type: 'String',
      nullable: true,
      description:
        'The full secret, `ck_live_…` or `ck_sandbox_…`; null everywhere but in the answer of `apiKeyCreate`.',
      columns: [],
      resolve: secretOf,
    }),
    prefix: t.exposeString('prefix', { description: 'The first 18 characters of the secret.' }),
    scopes: t.computed({
      type: [ApiKeyScope],
      description: 'What the key may do.',
      columns: ['scopes'],
      resolve: (key) => scopes.filter((scope) => key.scopes.includes(scope)),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on the key is rejected; null when it never expires.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Last use, noted at most once a minute; null before the first.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    object: t.string({ description: 'Always `api_key`.', resolve: () => 'api_key' }),
    livemode: t.livemode(),
  }),
});

export const ApiKeyConnection = connectionOf('ApiKey', ApiKey, 'API keys');

restView('ApiKey', 'ApiKey', 'id name prefix expiresAt lastUsedAt createdAt object livemode');
restView('CreatedApiKey', 'ApiKey', 'id name apiKey prefix expiresAt createdAt object livemode');
