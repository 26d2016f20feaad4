import { useEffect } from 'react';
import { useClient } from 'urql';
import type { PlainPageName } from '../address.ts';
import { AttentionChangedDocument, type AttentionLineFragment } from '../data/attention.graphql';
import { useLive } from '../data/hooks.ts';
import { followEvents } from '../data/live.ts';
import { attention, attentionCounts } from './attention.ts';
import { useDrawerAddress } from './drawer-address.ts';
import { useKeptPreferences } from './keep-preferences.ts';
import { usePreload } from './preload.ts';

/** The page where each kind is dealt with. Trials that end and open checkouts are no faults, so they are not counted. */
const pageOf: Readonly<Partial<Record<AttentionLineFragment['kind'], PlainPageName>>> = {
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

/** What the frame does without showing anything itself: it follows events and what needs attention, loads pages ahead, and keeps
 * preferences. */
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
