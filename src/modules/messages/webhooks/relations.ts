import { builder } from '../../../graphql/reading/builder.ts';
import { deliveryList } from './list.ts';

builder.prismaObjectField('Webhook', 'deliveries', (t) =>
  t.page('deliveries', {
    description: 'Deliveries to the endpoint, newest first.',
    list: deliveryList,
  }),
);
