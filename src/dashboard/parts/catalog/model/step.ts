/** A mutation of the catalog that the plan page sends. */
export type Command =
  | 'planUpdate'
  | 'groupAdd'
  | 'groupRemove'
  | 'featureAdd'
  | 'featureUpdate'
  | 'featureRemove'
  | 'priceAdd'
  | 'priceUpdate'
  | 'priceArchive'
  | 'priceDefault'
  | 'priceOffer'
  | 'regionalUpsert'
  | 'regionalDelete'
  | 'currencySet';

/** Whom a change reaches and when. New customers get every change at once. */
export type Reach =
  /** Texts: shown at once, nothing is charged by them. */
  | 'text'
  /** Who can choose the plan; current subscribers keep it. */
  | 'visibility'
  /** Between which plans customers can change. */
  | 'changes'
  /** Current subscribers at their next renewal. */
  | 'renewal'
  /** Current subscribers at once, for the running period. */
  | 'now'
  /** Current subscribers with the next billing period. */
  | 'next_period'
  /** Current subscribers at their next monthly reset. */
  | 'reset'
  /** New customers only. */
  | 'new_only';

/** A value that changes: what, from which, to which. Amounts carry their kind so that they can be shown. */
export type Line = {
  readonly what: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly reaches: Reach;
  /** How to show the values. */
  readonly kind?: 'money' | 'rate' | 'count' | 'days' | 'share' | 'switch' | 'exchange';
  readonly currency?: string;
};

/** What a command is about, for its heading. */
export type About =
  | null
  | { readonly feature: string }
  | { readonly interval: string; readonly label: string; readonly priceId: string }
  | { readonly currency: string };

/** One command with what it changes. `input` is called when its turn comes: it gets the ids of what was made by the commands before. */
export type Step = {
  readonly command: Command;
  readonly about: About;
  readonly lines: readonly Line[];
  readonly input: (idOf: (id: string) => string) => Record<string, unknown>;
  /** The temporary id of what it makes. */
  readonly makes?: string;
};

/** Whether two plain values have the same content, whatever the order of their keys. */
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
