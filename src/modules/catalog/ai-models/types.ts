import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import type { AiModelPriceRow, AiModelRow } from './store.ts';
import { loadModel, loadPrice, loadPriceHistory, maxHistory } from './store.ts';

const perMillion = 'in ten-thousandths of a US dollar per million tokens (10,000 = 1.00 USD)';
const cached = '`null` if the price of input tokens applies';

const AiModelPrice = builder.objectRef<AiModelPriceRow>('AiModelPrice').implement({
  ...node({ prefix: 'amp', load: loadPrice }),
  description: "Version of an AI model's token prices. Valid from `validFrom` until the next version.",
  fields: (t) => ({
    id: t
      .member('id', 'ID')
      .describe('Unique identifier. Starts with `amp_`. Token costs contain this ID as `version`.'),
    validFrom: t
      .member('validFrom', 'DateTime')
      .describe('Time at which the prices were imported, in real time.'),
    inputRate: t.member('inputRate', 'SafeInt').describe(`Price of input tokens, ${perMillion}.`),
    outputRate: t.member('outputRate', 'SafeInt').describe(`Price of output tokens, ${perMillion}.`),
    cacheReadRate: t
      .maybe('cacheReadRate', 'SafeInt')
      .describe(`Price of input tokens that are read from a cache, ${perMillion}. ${cached}.`),
    cacheWriteRate: t
      .maybe('cacheWriteRate', 'SafeInt')
      .describe(`Price of input tokens that are written to a cache, ${perMillion}. ${cached}.`),
  }),
});

export const AiModel = builder.objectRef<AiModelRow>('AiModel').implement({
  ...node({ prefix: '/', load: loadModel }),
  description: 'An AI model with its current token prices. All organizations share one catalog of models.',
  fields: (t) => ({
    id: t
      .member('id', 'ID')
      .describe(
        'Unique identifier: provider and name, such as `openai/gpt-4o`. Usage events can refer to the model by ID.',
      ),
    provider: t.member('provider', 'String').describe('Provider of the model.'),
    name: t
      .member('name', 'String')
      .describe(
        'Name of the model, without the provider. Usage events can refer to the model by name if no other active model has the name.',
      ),
    inputRate: t.member('inputRate', 'SafeInt').describe(`Current price of input tokens, ${perMillion}.`),
    outputRate: t.member('outputRate', 'SafeInt').describe(`Current price of output tokens, ${perMillion}.`),
    cacheReadRate: t
      .maybe('cacheReadRate', 'SafeInt')
      .describe(`Current price of input tokens that are read from a cache, ${perMillion}. ${cached}.`),
    cacheWriteRate: t
      .maybe('cacheWriteRate', 'SafeInt')
      .describe(`Current price of input tokens that are written to a cache, ${perMillion}. ${cached}.`),
    isActive: t
      .member('isActive', 'Boolean')
      .describe(
        "Whether the price source still lists the model. Usage events can't refer to an inactive model.",
      ),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe('Time at which the model was added to the catalog, in real time.'),
    updatedAt: t
      .member('updatedAt', 'DateTime')
      .describe('Time at which the prices or the active state last changed, in real time.'),
    history: t.field({
      type: [AiModelPrice],
      description: `Past and current prices of the model, latest first. Up to ${maxHistory} values.`,
      resolve: ({ id }, _args, ctx) => loadPriceHistory(ctx, id),
    }),
    object: t.string({ description: 'Always `ai_model`.', resolve: () => 'ai_model' }),
  }),
});

export const AiModelConnection = connectionOf('AiModel', AiModel, 'AI models', 'sorted by ID');
