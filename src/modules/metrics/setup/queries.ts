import { builder } from '../../../graphql/reading/builder.ts';
import { computeSteps } from './compute-setup.ts';
import { Setup } from './types/setup.ts';

builder.queryField('setup', (t) =>
  t.field({
    type: Setup,
    description:
      'Returns the steps of the setup with their states. In the live environment, the steps are the checklist for accepting real payments.',
    access: { scope: 'read' },
    resolve: async (_root, _args, ctx) => ({ steps: await computeSteps(ctx) }),
  }),
);
