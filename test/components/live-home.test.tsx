import { act, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type LiveEvent, tell } from '../../src/dashboard/data/event-bus.ts';
import { openDashboard } from './support/dashboard.tsx';

const nothing = { nodes: [], edges: [], totalCount: { value: 0, isExact: true } };

/** Payment that arrives while Home is open. */
const payment = {
  id: 'evt_1',
  event: 'payment_received',
  position: 2,
  timestamp: '2026-01-01T00:00:00.000Z',
  customer: null,
  subscription: null,
  subject: null,
} as unknown as LiveEvent;

describe('home', () => {
  it.each([
    ['the metrics', 'metrics', 'payment_received'],
    ['upcoming payments', 'upcomingPayments', 'invoice_voided'],
    ['failed payments', 'subscriptions', 'payment_failed'],
    ['top customers', 'customers', 'subscription_canceled'],
  ] as const)('reloads %s after an event', async (_, field, event) => {
    const read = vi.fn(() => (field === 'subscriptions' || field === 'customers' ? nothing : {}));
    await openDashboard('/', {
      organization: { id: 'org_1', name: 'Acme', reportingCurrency: 'usd' },
      [field]: read,
    });
    await waitFor(() => expect(read).toHaveBeenCalled());
    const before = read.mock.calls.length;
    act(() => tell({ ...payment, event: 'webhook_created' } as unknown as LiveEvent));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(read).toHaveBeenCalledTimes(before);
    act(() => tell({ ...payment, event }));
    await waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(before));
  });
});
