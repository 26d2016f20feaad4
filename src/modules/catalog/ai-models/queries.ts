import { builder } from '../../../graphql/reading/builder.ts';
import { pageArgs } from '../../../graphql/reading/pagination.ts';
import { listModels, requireModel } from './store.ts';
import { AiModel, AiModelConnection } from './types.ts';

const text = { maxLength: 400 } as const;

builder.queryField('aiModels', (t) =>
  t.field({
    type: AiModelConnection,
    description: 'Lists AI models with their token prices, sorted by ID.',
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      provider: t.arg.string({ rule: text, description: 'Provider of the models to return.' }),
      name: t.arg.string({ rule: text, description: 'Name of the models to return, without the provider.' }),
      isActive: t.arg.boolean({
        description:
          'Whether to return active (`true`) or inactive (`false`) models. Defaults to all models.',
      }),
    },
    resolve: (_root, { provider = null, name = null, isActive = null, ...page }, ctx) =>
      listModels(ctx, { provider, name, isActive }, page),
  }),
);

builder.queryField('aiModel', (t) =>
  t.field({
    type: AiModel,
    description:
      'Returns an AI model by ID (`provider/name`), or by its name without the provider if only one active model has the name.',
    errors: [['model_not_found', "no model has the ID, and the name doesn't match exactly one active model"]],
    access: { scope: 'read' },
    args: {
      id: t.arg.id({ required: true, rule: text, description: 'Model ID, or name without the provider.' }),
    },
    resolve: (_root, { id }, ctx) => requireModel(ctx, id),
  }),
);
