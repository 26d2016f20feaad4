// Requests that are too frequent to be stored one by one.

/** Operations whose successful requests are stored as one record per caller, operation, status, and minute. */
const countedOperations: ReadonlySet<string> = new Set([
  'featureAccess',
  'featureAccesses',
  'usageBatch',
  'usageCheck',
  'usageHold',
  'usageHoldExtend',
  'usageRelease',
  'usageSettle',
  'usageTrack',
  'usageTrackBatch',
]);

const firstFailure = 400;

/** True if a request is only counted. A failed request is always stored with its bodies. */
export const isCounted = (operation: string, status: number): boolean =>
  status < firstFailure && countedOperations.has(operation);

const minuteMs = 60_000;

/** Returns the start of the minute of a time. */
export const minuteOf = (at: Date): Date => new Date(Math.floor(at.getTime() / minuteMs) * minuteMs);

/** Returns an IP address without the part that identifies a device: its first 24 bits, or its first 48 bits for IPv6. */
export function shortAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+)\.\d+$/i.exec(address);
  if (mapped !== null) return `${mapped[1]}.0/24`;
  if (!address.includes(':')) return address.replace(/\.\d+$/, '.0/24');
  const [head = '', tail = ''] = address.split('::', 2);
  const groups = head.split(':').filter((group) => group !== '');
  const last = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::') ? Math.max(0, 8 - groups.length - last.length) : 0;
  const full = [...groups, ...Array.from({ length: zeros }, () => '0'), ...last];
  return `${full.slice(0, 3).join(':')}::/48`;
}

/** Name of export streams in the request log. A stream isn't a root field, and isn't repeated, because its rows would have to be kept in memory. */
export const exportStreamOperation = 'exportStream';
