import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'POST /rates/preview': async () => ({
      body: {
        rate: {
          model: 'graduated',
          per: 1_000,
          tiers: [
            { upTo: '1000', amount: 20 },
            { upTo: null, amount: '15.0', flat: '0.50' },
          ],
          maximum: '1000',
        },
        quantities: ['0', 1, '1000.5', '12500'],
        currency: 'eur',
      },
    }),
  },
};
