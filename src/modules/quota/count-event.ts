import { builder } from '../../graphql/builder.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { Customer } from '../customers/types.ts';
import { Feature } from '../features/types.ts';

/** What REST shows of an event of seats or quota. */
export const countEventFields = 'id customerId featureCode previousBalance newBalance ts createdAt object livemode';

/** The type of the events of seats or of quota, which have the same fields. */
export const countEventType = (
  name: string,
  words: { readonly description: string; readonly prefix: string; readonly object: string; readonly balance: string },
) =>
  builder.objectRef<Row<'CountEvent'>>(name).implement({
    description: words.description,
    fields: (t) => ({
      id: t.exposeID('id', { description: `Our identifier, \`${words.prefix}_…\`.` }),
      customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
      featureCode: t.string({
        description: 'Code of the feature.',
        resolve: async ({ featureId }, _args, context) => (await loadExistingRow(context, 'Feature', featureId)).code,
      }),
      previousBalance: t.expose('previousBalance', { type: 'SafeInt', description: `${words.balance} before.` }),
      newBalance: t.expose('newBalance', { type: 'SafeInt', description: `${words.balance} after.` }),
      ts: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the change.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of recording.' }),
      customer: t.field({
        type: Customer,
        description: 'Whose count it is.',
        resolve: ({ customerId }, _args, context) => loadExistingRow(context, 'Customer', customerId),
      }),
      feature: t.field({
        type: Feature,
        description: 'What is counted.',
        resolve: ({ featureId }, _args, context) => loadExistingRow(context, 'Feature', featureId),
      }),
      object: t.string({ description: `Always \`${words.object}\`.`, resolve: () => words.object }),
      livemode: t.boolean({ description: 'True for live data.', resolve: (_event, _args, context) => context.livemode }),
    }),
  });
