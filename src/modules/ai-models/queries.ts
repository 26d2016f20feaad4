import { builder } from '../../graphql/builder.ts';
import { pageArgs } from '../../graphql/pagination.ts';
import { listModels, requireModel } from './store.ts';
import { AiModel, AiModelConnection } from './types.ts';

const text = { maxLength: 400 } as const;

builder.queryField('aiModels', (t) =>
  t.field({
    type: AiModelConnection,
    description: 'The catalog of AI models with the prices of their tokens, in the order of their ids.',
    access: { scope: 'read' },
    args: {
      ...pageArgs(),
      provider: t.arg.string({ rule: text, description: 'Only those of this provider.' }),
      name: t.arg.string({ rule: text, description: 'Only those with this bare name.' }),
      isActive: t.arg.boolean({
        description: 'Only those that are, or are not, listed by the source of prices. Defaults to all.',
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
      'One AI model: by `provider/name`, or by its bare name while it is the only active one of that name; `model_not_found` otherwise.',
    errors: ['model_not_found'],
    access: { scope: 'read' },
    args: {
      id: t.arg.id({ required: true, rule: text, description: 'Id of the model, else its bare name.' }),
    },
    resolve: (_root, { id }, ctx) => requireModel(ctx, id),
  }),
);
