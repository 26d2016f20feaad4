import { builder } from '../../../graphql/reading/builder.ts';
import { readLogin } from './decide.ts';
import { DeviceLogin } from './types.ts';

builder.queryField('deviceLogin', (t) =>
  t.field({
    type: DeviceLogin,
    description:
      'Returns the sign-in of a command line that waits for a decision. A person can enter up to 30 codes in 10 minutes.',
    errors: [['not_found', "the code doesn't exist, has expired, or was already used"]],
    access: { member: 'admin' },
    args: {
      userCode: t.arg.string({
        required: true,
        rule: { minLength: 1, maxLength: 20 },
        description: 'Code that the command line shows. Case, spaces, and hyphens are ignored.',
      }),
    },
    resolve: (_root, { userCode }, ctx) => readLogin(ctx, userCode),
  }),
);
