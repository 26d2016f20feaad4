import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { checkoutSettingsOf } from '../../domain/page-settings.ts';
import { codesLeft, type SavedMethod } from '../../domain/subscription/payments/saved-method.ts';
import type { MethodDetails } from '../../domain/subscription/state/rows.ts';
import type { Row } from '../../platform/db/rows.ts';
import { readOrganization } from '../organizations/store.ts';
import { type ConnectionRow, findSavedCard } from './store.ts';

/** A stored card that a page offers, and how many wrong security codes it still takes. */
export type SavedCard = { readonly method: Row<'PaymentMethod'>; readonly codesLeft: number };

/** The link a stored card may be offered at. */
type Link = {
  /** Whom the link names; null where it names nobody. */
  readonly customerId: string | null;
  readonly wrongCodes: number | undefined;
  /** The account that takes the payment; null for the platform's own processor. */
  readonly connection: ConnectionRow | null;
};

/** The stored card a payer chose at a page, and its security code. */
export type ChosenCard = { readonly paymentMethodId: string; readonly cvc: string };

/** Whatever a payer gave to pay with. */
type Given = {
  readonly card?: unknown;
  readonly paymentMethod?: unknown;
  readonly savedMethod?: ChosenCard | null | undefined;
};

/** The stored card a link offers to everybody who opens it (PAY-41); null for none. */
export async function loadSavedCard(
  ctx: Context,
  { customerId, wrongCodes, connection }: Link,
): Promise<SavedCard | null> {
  const left = codesLeft(wrongCodes);
  // No processor of live payers refuses a stored card for a wrong code at every step of a page.
  if (customerId === null || ctx.livemode || connection !== null || left === 0) return null;
  const { pageSettings } = await readOrganization(ctx);
  if (!checkoutSettingsOf(pageSettings).savedCards) return null;
  const method = await findSavedCard(ctx, customerId, ctx.wall.now());
  return method === null ? null : { method, codesLeft: left };
}

const detailsOf = ({
  reference,
  bin,
  provider,
  brand,
  last4,
  expMonth,
  expYear,
}: MethodDetails): MethodDetails => ({ reference, bin, provider, brand, last4, expMonth, expYear });

/** Throws `validation_error` where a stored card is given beside another one. */
export function demandOneMethod({ card, paymentMethod, savedMethod }: Given): void {
  if (savedMethod != null && (card != null || paymentMethod != null))
    throw validationError([{ field: 'savedMethod', message: 'Give either the stored card or another one.' }]);
}

/** A stored card as commands take it. */
type ChosenMethod = {
  readonly command: { readonly method: MethodDetails; readonly saved: SavedMethod };
};

/** The stored card a payer chose, whose it is, and what commands take of it. Throws `payment_method_not_found` for one the link does not offer. */
export async function requireSavedCard(
  ctx: Context,
  link: Link,
  { paymentMethodId, cvc }: ChosenCard,
): Promise<ChosenMethod & { readonly customerId: string }> {
  const card = await loadSavedCard(ctx, link);
  if (card?.method.id !== paymentMethodId)
    throw new QuittanceError('payment_method_not_found', { param: 'savedMethod' });
  const { customerId } = card.method;
  const saved = { methodId: paymentMethodId, securityCode: cvc };
  return { customerId, command: { method: detailsOf(card.method), saved } };
}
