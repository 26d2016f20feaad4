import { useEffect } from 'react';
import { useClient } from 'urql';
import type { PlainPageName } from '../address.ts';
import { AttentionChangedDocument, type AttentionLineFragment } from '../data/attention.graphql';
import { useLive } from '../data/hooks.ts';
import { followEvents } from '../data/live.ts';
import { attention, attentionCounts } from './attention.ts';
import { useDrawerAddress } from './drawer-address.ts';
import { usePreload } from './preload.ts';
import { useKeptPreferences } from './sync-preferences.ts';

/** Page that resolves each type of item. Ending trials and open checkouts aren't problems, so they aren't counted. */
const pageOf: Readonly<Partial<Record<AttentionLineFragment['kind'], PlainPageName>>> = {
  stuck_deadline: 'subscriptions',
  past_due_subscription: 'subscriptions',
  overdue_invoice: 'invoices',
  open_dispute: 'payments',
  failed_payout: 'payouts',
  verification_wanted: 'payouts',
  failing_webhook: 'webhooks',
  failed_delivery: 'webhooks',
  failed_email: 'emails',
  failed_clock_run: 'timeMachine',
  expiring_key: 'apiKeys',
  approval_waiting: 'approvals',
};

function show(items: readonly AttentionLineFragment[] | null): void {
  const counts: Partial<Record<PlainPageName, number>> = {};
  for (const { kind, count } of items ?? []) {
    const page = pageOf[kind];
    if (page !== undefined) counts[page] = (counts[page] ?? 0) + count.value;
  }
  attention.set(items);
  attentionCounts.set(counts);
}

/** Background tasks of the frame: subscribes to events and attention items, preloads pages, and stores preferences. */
export default function Background() {
  const client = useClient();
  useEffect(() => followEvents(client), [client]);
  usePreload();
  useDrawerAddress();
  useKeptPreferences();
  useLive(AttentionChangedDocument, {}, ({ attentionChanged }) => show(attentionChanged));
  useEffect(() => () => show(null), []);
  return null;
}
