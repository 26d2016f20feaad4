import { serve } from '@hono/node-server';
import { Quittance } from '@quittance/sdk';
import { gatewayWith } from './app.ts';

const { env } = process;

const app = gatewayWith({
  quittance: new Quittance({ baseUrl: env['QUITTANCE_URL'] ?? '', apiKey: env['QUITTANCE_API_KEY'] ?? '' }),
  customerId: env['CUSTOMER_ID'] ?? '',
  featureCode: env['FEATURE_CODE'] ?? 'tokens',
  upstream: { baseURL: env['MODEL_URL'] ?? 'https://api.openai.com/v1', apiKey: env['MODEL_API_KEY'] ?? '' },
});

serve({ fetch: app.fetch, port: Number(env['PORT'] ?? 3002) }, ({ port }) =>
  console.log(`The gateway runs on http://localhost:${port}`),
);
