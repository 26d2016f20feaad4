import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { checkoutSettingsOf } from '../../domain/page-settings.ts';
import { codesLeft, type SavedMethod } from '../../domain/subscription/payments/saved-method.ts';
import type { MethodDetails } from '../../domain/subscription/state/rows.ts';
import type { Row } from '../../platform/db/rows.ts';
import { readOrganization } from '../organizations/store.ts';
import { type ConnectionRow, findSavedCard } from './store.ts';

/** A stored card that a page offers, and how many wrong security codes it still takes. */
export type SavedCard = {
  readonly method: Row<'PaymentMethod'>;
  readonly codesLeft: number;
  /** The key of the account at Stripe that takes the code in a field of its own; null where the page takes it. */
  readonly publishableKey: string | null;
};

/** The link a stored card may be offered at. */
export type SavedCardLink = {
  /** Whom the link names; null where it names nobody. */
  readonly customerId: string | null;
  readonly wrongCodes: number | undefined;
  /** The account that takes the payment; null for the platform's own processor. */
  readonly connection: ConnectionRow | null;
  /** Whether something is charged now; else the card is only set up for later. */
  readonly isCharged: boolean;
};

/** The stored card a payer chose at a page, and its security code, at an account of Stripe the token for it. */
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
  { customerId, wrongCodes, connection, isCharged }: SavedCardLink,
): Promise<SavedCard | null> {
  const left = codesLeft(wrongCodes);
  // The processor of live payers has no field for a code, and Stripe checks one with a payment only.
  const isChecked = connection === null ? !ctx.livemode : isCharged;
  if (customerId === null || !isChecked || left === 0) return null;
  const { pageSettings } = await readOrganization(ctx);
  if (!checkoutSettingsOf(pageSettings).savedCards) return null;
  const method = await findSavedCard(ctx, customerId, connection?.id ?? null, ctx.wall.now());
  const publishableKey = connection?.publishableKey ?? null;
  return method === null ? null : { method, codesLeft: left, publishableKey };
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

const isToken = (cvc: string): boolean => cvc.startsWith('cvctok_');

/**
 * The stored card a payer chose, whose it is, and what commands take of it. Throws `payment_method_not_found` for one the link does not offer, and
 * `validation_error` for a code where Stripe takes it, or a token where Stripe does not.
 */
export async function requireSavedCard(
  ctx: Context,
  link: SavedCardLink,
  { paymentMethodId, cvc }: ChosenCard,
): Promise<ChosenMethod & { readonly customerId: string }> {
  const card = await loadSavedCard(ctx, link);
  if (card?.method.id !== paymentMethodId)
    throw new QuittanceError('payment_method_not_found', { param: 'savedMethod' });
  if (isToken(cvc) !== (link.connection !== null)) {
    const message = isToken(cvc)
      ? 'Give the security code itself.'
      : "Give Stripe's token for the security code.";
    throw validationError([{ field: 'savedMethod.cvc', message }]);
  }
  const { customerId } = card.method;
  const saved = { methodId: paymentMethodId, securityCode: cvc };
  return { customerId, command: { method: detailsOf(card.method), saved } };
}
