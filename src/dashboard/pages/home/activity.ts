// Selects the events of the recent activity.

type Entry = {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly customer: { readonly id: string } | null;
};

/** Types of events that the list omits. */
const silent: ReadonlySet<string> = new Set(['customer_state_changed', 'invoice_upcoming', 'usage_recorded']);

/** Maximum time between an invoice and its payment that are shown as one line, in milliseconds. */
const pairMs = 2_000;

/** Returns the events to show, newest first. Omits usage, notices, and repetitions, such as a new invoice that was paid at the same time. */
export function shownEvents<T extends Entry>(entries: readonly T[], count: number): T[] {
  const seen = new Set<string>();
  const isPaid = ({ customer, timestamp }: T): boolean =>
    entries.some(
      (other) =>
        (other.event === 'payment_received' || other.event === 'invoice_paid') &&
        other.customer?.id === customer?.id &&
        Math.abs(Date.parse(other.timestamp) - Date.parse(timestamp)) <= pairMs,
    );
  const shown = entries.filter((entry) => {
    if (seen.has(entry.id) || silent.has(entry.event)) return false;
    seen.add(entry.id);
    return entry.event !== 'invoice_created' || !isPaid(entry);
  });
  return shown.slice(0, count);
}
