import { builder } from '../../../graphql/reading/builder.ts';
import type { CodeRequest } from './rules.ts';

export const AppConnectionRequest = builder.objectRef<CodeRequest>('AppConnectionRequest').implement({
  description: 'Request of an app for access to an environment, which a member approves or denies.',
  fields: (t) => ({
    appName: t
      .member('clientName', 'String')
      .describe('Name that the app reported, which can be false. Becomes the name of the API key.'),
    redirectHost: t.string({
      description: 'Host that receives the result of the request, such as `claude.ai` or `localhost:3000`.',
      resolve: ({ redirectUri }) => new URL(redirectUri).host,
    }),
  }),
});

export const AppConnectionResult = builder
  .objectRef<{ readonly redirectUrl: string }>('AppConnectionResult')
  .implement({
    description: 'Decision about the request of an app.',
    fields: (t) => ({
      redirectUrl: t
        .member('redirectUrl', 'String')
        .describe(
          'URL of the app to open in the browser. After an approval, contains an authorization code that is valid for 5 minutes.',
        ),
    }),
  });
