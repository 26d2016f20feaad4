import { builder } from '../../graphql/builder.ts';
import { deliveryList } from './list.ts';

builder.prismaObjectField('Webhook', 'deliveries', (t) =>
  t.page('deliveries', {
    description: 'What was sent to it or waits to be, newest first.',
    list: deliveryList,
  }),
);
