import { apiKey, type Child } from './children.ts';
import { type Comparison, compare } from './load.ts';

/** Compares `GET /customers?limit=25` with the baseline server. */
export const measureRestList = (
  product: Child,
  bare: Child,
  rounds: number,
  seconds: number,
): Promise<Comparison> => {
  const headers = { 'x-api-key': apiKey };
  return compare(
    { server: product, call: { path: '/api/v1/customers?limit=25', method: 'GET', headers } },
    { server: bare, call: { path: '/customers?limit=25', method: 'GET', headers } },
    rounds,
    seconds,
  );
};
