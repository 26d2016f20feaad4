import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import type { AiModelPriceRow, AiModelRow } from './store.ts';
import { loadModel, loadPrice, loadPriceHistory, maxHistory } from './store.ts';

const perMillion = 'US dollars per million tokens at rate scale: 10 000 is 1.00';
const cached = 'null where the price of input tokens holds';

const AiModelPrice = builder.objectRef<AiModelPriceRow>('AiModelPrice').implement({
  ...node({ prefix: 'amp', load: loadPrice }),
  description: 'What the tokens of an AI model cost from a time on, until the next one.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `amp_…`; token costs name it as their `version`.' }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      description: 'When the catalog took the prices over, in operational time.',
    }),
    inputRate: t.expose('inputRate', {
      type: 'SafeInt',
      description: `Price of input tokens: ${perMillion}.`,
    }),
    outputRate: t.expose('outputRate', {
      type: 'SafeInt',
      description: `Price of output tokens: ${perMillion}.`,
    }),
    cacheReadRate: t.expose('cacheReadRate', {
      type: 'SafeInt',
      nullable: true,
      description: `Price of input tokens read from a cache: ${perMillion}; ${cached}.`,
    }),
    cacheWriteRate: t.expose('cacheWriteRate', {
      type: 'SafeInt',
      nullable: true,
      description: `Price of input tokens written to a cache: ${perMillion}; ${cached}.`,
    }),
  }),
});

export const AiModel = builder.objectRef<AiModelRow>('AiModel').implement({
  ...node({ prefix: '/', load: loadModel }),
  description: 'An AI model of the catalog, which is the same for everybody, and what its tokens cost now.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Provider and name, `openai/gpt-4o`: what usage events can name it by.',
    }),
    provider: t.exposeString('provider', { description: 'Who runs the model.' }),
    name: t.exposeString('name', {
      description: 'Bare name; usage events can name it by that while no other active model has it.',
    }),
    inputRate: t.expose('inputRate', {
      type: 'SafeInt',
      description: `Price of input tokens now: ${perMillion}.`,
    }),
    outputRate: t.expose('outputRate', {
      type: 'SafeInt',
      description: `Price of output tokens now: ${perMillion}.`,
    }),
    cacheReadRate: t.expose('cacheReadRate', {
      type: 'SafeInt',
      nullable: true,
      description: `Price of input tokens read from a cache now: ${perMillion}; ${cached}.`,
    }),
    cacheWriteRate: t.expose('cacheWriteRate', {
      type: 'SafeInt',
      nullable: true,
      description: `Price of input tokens written to a cache now: ${perMillion}; ${cached}.`,
    }),
    isActive: t.exposeBoolean('isActive', {
      description: 'False once the source of prices no longer lists it; usage cannot name it then.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the catalog first had it, in operational time.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When its prices or activity last changed, in operational time.',
    }),
    history: t.field({
      type: [AiModelPrice],
      description: `The prices it has had, the latest first; up to ${maxHistory}.`,
      resolve: ({ id }, _args, ctx) => loadPriceHistory(ctx, id),
    }),
    object: t.string({ description: 'Always `ai_model`.', resolve: () => 'ai_model' }),
  }),
});

export const AiModelConnection = connectionOf('AiModel', AiModel, 'AI models', 'in the order of their ids');
