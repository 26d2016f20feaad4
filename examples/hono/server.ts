import { serve } from '@hono/node-server';
import { Quittance } from '@quittance/sdk';
import { appWith } from './app.ts';

const { QUITTANCE_URL = '', QUITTANCE_API_KEY = '', PLAN_ID = '', WEBHOOK_SECRET = '' } = process.env;

const app = appWith({
  quittance: new Quittance({ baseUrl: QUITTANCE_URL, apiKey: QUITTANCE_API_KEY }),
  planId: PLAN_ID,
  webhookSecret: WEBHOOK_SECRET,
});

serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3001) }, ({ port }) =>
  console.log(`The app runs on http://localhost:${port}`),
);
