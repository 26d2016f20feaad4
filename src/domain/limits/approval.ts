// Approvals of operations, and the hash that binds an approval to the effects of an operation.
import { maskClassOf } from '../requests/masked-fields.ts';
import { canonicalJson } from '../text/json.ts';
import { dayMs } from '../time/period.ts';

/** Event in a preview, with the data that webhook endpoints would receive. */
export type PreviewEvent = { readonly kind: string; readonly data: unknown };

/** Money that an operation moves, in minor units of a currency. */
export type PreviewMoney = { readonly currency: string; readonly amount: number };

/** Effects of an operation that isn't executed. `amountUsd` is in US cents. `null` if an exchange rate is missing. */
export type ApprovalPreview = {
  readonly events: readonly PreviewEvent[];
  readonly money: readonly PreviewMoney[];
  readonly amountUsd: number | null;
};

/** Time in milliseconds during which an approval can be decided and used. */
export const approvalMs = dayMs;

const idPattern = /^[a-z]{2,5}_[0-9A-Za-z]{22}$/;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** State of a preview. IDs of objects that the preview created end with a text that is greater than `firstId`. */
export type PreviewBounds = { readonly now: Date; readonly firstId: string };

const suffixOf = (id: string): string => id.slice(id.indexOf('_') + 1);

/**
 * Returns a value that is equal in previews of equal effects: created IDs become numbers, and times that derive from the time of the
 * preview become numbers of days.
 */
function normalized(value: unknown, { now, firstId }: PreviewBounds, created: Map<string, number>): unknown {
  if (typeof value === 'string') {
    if (idPattern.test(value) && suffixOf(value) > suffixOf(firstId))
      return `#${created.getOrInsertComputed(value, () => created.size + 1)}`;
    if (!timePattern.test(value)) return value;
    const passed = Date.parse(value) - now.getTime();
    return passed % dayMs === 0 ? `+${passed / dayMs}` : value;
  }
  if (Array.isArray(value)) return value.map((item) => normalized(item, { now, firstId }, created));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, normalized(member, { now, firstId }, created)]),
  );
}

/** Returns the text whose SHA-256 hash is the preview hash of an operation. */
export function previewText(
  operation: string,
  values: unknown,
  { events, money }: Pick<ApprovalPreview, 'events' | 'money'>,
  bounds: PreviewBounds,
): string {
  const created = new Map<string, number>();
  return canonicalJson({ operation, arguments: values, money, events: normalized(events, bounds, created) });
}

/** Returns the arguments of an operation without payment methods and secrets. `owner` is the operation, or the name of the outer argument. */
export function withoutSecrets(value: unknown, owner: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, owner));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      name === 'card' || maskClassOf(name, owner) === 'secret' ? [] : [[name, withoutSecrets(member, name)]],
    ),
  );
}
