import { createAdjustment } from '../factories.ts';
import { reasons } from './shared.ts';
import type { MakeRequest, ModuleOperations } from './types.ts';

/** Request for a cash series around the current day, with one outstanding invoice. */
const series =
  (query: Readonly<Record<string, string>> = {}): MakeRequest =>
  async (shop) => {
    await createAdjustment(shop);
    return { query: { from: '2026-01-01', to: '2027-12-31', interval: 'month', ...query } };
  };

export const operations: ModuleOperations = {
  requests: {
    'GET /metrics/cash': series({ currency: 'eur', fxConstant: '2026-01-01' }),
    'GET /metrics/billed': series({ groupBy: 'invoice_type' }),
    'GET /metrics/recovery': series(),
    'GET /metrics/trials': series(),
    'GET /metrics/usage': series({ groupBy: 'model' }),
    'GET /metrics/margin': async (shop) => {
      await createAdjustment(shop);
      return { query: { from: '2026-01-01', to: '2027-12-31', groupBy: 'model' } };
    },
    'GET /metrics/receivables': async (shop) => {
      await createAdjustment(shop);
      return { query: { day: '2027-12-31' } };
    },
  },
  unrouted: {
    taxExposure: {
      because: reasons.more,
      text: 'query ($from: Date!, $to: Date!) { taxExposure(from: $from, to: $to) { country currency billed coverage regions } }',
      variables: async (shop) => {
        await createAdjustment(shop);
        return { from: '2026-01-01', to: '2027-12-31' };
      },
    },
    metrics: {
      because: 'REST has an address for each series.',
      text: 'query ($from: Date!, $to: Date!) { metrics(from: $from, to: $to, interval: month) { cash { currency points { netCash } } billed(groupBy: plan) { group { key } points { amount } } receivables { total } recovery { points { rateByCountBps } } } }',
      variables: async (shop) => {
        await createAdjustment(shop);
        return { from: '2026-01-01', to: '2027-12-31' };
      },
    },
  },
};
