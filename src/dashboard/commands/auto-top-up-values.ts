import { isCurrency } from '../../domain/money/money.ts';

/** Values of the form for an automatic top-up. */
export type TopUpValues = {
  /** `null` if the pools are still loading. */
  readonly asset: string | null;
  /** Available amount at or below which the account is topped up, in pool units. */
  readonly threshold: number | null;
  /** Refill of a balance. Custom units are refilled by packs. */
  readonly kind: 'amount' | 'target';
  /** Amount to add in minor units. */
  readonly amount: number | null;
  /** Balance to reach, in pool units. */
  readonly goal: number | null;
  /** ID of the credit pack. Empty if no pack is selected. */
  readonly pack: string;
  readonly quantity: number;
  readonly maxPerMonth: number;
  /** In minor units. */
  readonly maxAmountPerMonth: number | null;
  readonly minPause: number;
  readonly consentReference: string;
};

type Refill =
  | { readonly creditPackId: string; readonly quantity: number }
  | { amount: number }
  | { target: number };

/** True if the account is a balance of money. */
export const isBalance = ({ asset }: Pick<TopUpValues, 'asset'>): boolean =>
  asset !== null && isCurrency(asset);

/** Returns the refill of the form. `null` if the form isn't complete. */
export function parseRefill({ asset, kind, amount, goal, pack, quantity }: TopUpValues): Refill | null {
  if (!isBalance({ asset })) return pack === '' || quantity < 1 ? null : { creditPackId: pack, quantity };
  if (kind === 'target') return goal === null || goal < 1 ? null : { target: goal };
  return amount === null || amount < 1 ? null : { amount };
}
