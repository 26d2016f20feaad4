/** Catalog mutation sent by the plan page. */
export type Command =
  | 'planUpdate'
  | 'groupAdd'
  | 'groupRemove'
  | 'featureAdd'
  | 'featureUpdate'
  | 'featureRateSet'
  | 'featureCostSet'
  | 'featureRemove'
  | 'priceAdd'
  | 'priceUpdate'
  | 'priceArchive'
  | 'priceDefault'
  | 'priceOffer'
  | 'regionalUpsert'
  | 'regionalDelete'
  | 'currencySet';

/** Subscribers affected by a change, and when the change affects them. Changes apply to new customers immediately. */
export type Reach =
  /** Changes displayed text immediately. Doesn't affect charges. */
  | 'text'
  /** Changes who can select the plan. Current subscribers keep the plan. */
  | 'visibility'
  /** Changes which plans customers can switch between. */
  | 'changes'
  /** Affects current subscribers at their next renewal. */
  | 'renewal'
  /** Affects current subscribers immediately, in the current period. */
  | 'now'
  /** Affects current subscribers from the next billing period. */
  | 'next_period'
  /** Current subscribers pay the lower price for each quantity in the current period, and the new price from the next period. */
  | 'lower_price'
  /** Affects current subscribers at their next monthly reset. */
  | 'reset'
  /** Affects new customers only. */
  | 'new_only'
  /** Affects no customers, such as a cost that determines no price. */
  | 'none';

/** Changed value, with its old and new value. */
export type Line = {
  readonly what: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly reaches: Reach;
  /** Format of the old and new values. */
  readonly kind?: 'money' | 'rate' | 'count' | 'days' | 'share' | 'switch' | 'exchange';
  readonly currency?: string;
};

/** Object that a command changes, used as the heading above the changes. */
export type About =
  | null
  | { readonly feature: string }
  | { readonly interval: string; readonly label: string; readonly priceId: string }
  | { readonly currency: string };

/** Command with its changes. `input` is called just before the command is sent, with the IDs of objects that earlier commands created. */
export type Step = {
  readonly command: Command;
  readonly about: About;
  readonly lines: readonly Line[];
  readonly input: (idOf: (id: string) => string) => Record<string, unknown>;
  /** Temporary ID of the object that the command creates. */
  readonly makes?: string;
};

/** True if two JSON values are equal, regardless of the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => key in b && sameJson(Reflect.get(a, key), Reflect.get(b, key)))
  );
}
