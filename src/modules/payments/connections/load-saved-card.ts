import { QuittanceError, validationError } from '../../../domain/errors/errors.ts';
import { checkoutSettingsOf } from '../../../domain/pages/page-settings.ts';
import type { MethodDetails } from '../../../domain/rows/rows.ts';
import { codesLeft, type SavedMethod } from '../../../domain/subscription/payments/saved-method.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { readOrganization } from '../../organization/organizations/store.ts';
import { type ConnectionRow, findSavedCard } from './store.ts';

/** Stored card that a page offers, and the number of remaining attempts to enter its security code. */
export type SavedCard = {
  readonly method: Row<'PaymentMethod'>;
  readonly codesLeft: number;
  /** Publishable key of the Stripe account if Stripe's own field collects the security code. `null` if the page collects it. */
  readonly publishableKey: string | null;
};

/** Properties of a checkout or payment link that determine whether the link offers a stored card. */
export type SavedCardLink = {
  /** Customer of the link. `null` if the link has no customer. */
  readonly customerId: string | null;
  readonly wrongCodes: number | undefined;
  /** Account that collects the payment. `null` means the platform's payment provider. */
  readonly connection: ConnectionRow | null;
  /** True if the payment is charged immediately. False if the card is only stored for later charges. */
  readonly isCharged: boolean;
};

/** Stored card that a payer chose on a page, with its security code. On a Stripe account, the security code is a token. */
export type ChosenCard = { readonly paymentMethodId: string; readonly cvc: string };

/** Payment details entered by a payer. */
type Given = {
  readonly card?: unknown;
  readonly paymentMethod?: unknown;
  readonly bankAccount?: unknown;
  readonly savedMethod?: ChosenCard | null | undefined;
};

/** Returns the stored card that a link offers to everyone who opens it (PAY-41). `null` if the link offers no card. */
export async function loadSavedCard(
  ctx: Context,
  { customerId, wrongCodes, connection, isCharged }: SavedCardLink,
): Promise<SavedCard | null> {
  const left = codesLeft(wrongCodes);
  // The platform's payment provider can't check security codes. Stripe checks them only with a charge.
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

/** Throws `validation_error` if a stored card is combined with another payment method. */
export function demandOneMethod({ card, paymentMethod, bankAccount, savedMethod }: Given): void {
  if (savedMethod != null && (card != null || paymentMethod != null || bankAccount != null))
    throw validationError([
      { field: 'savedMethod', message: 'Send either a stored card or another payment method, not both.' },
    ]);
}

/** Stored card in the format that commands accept. */
type ChosenMethod = {
  readonly command: { readonly method: MethodDetails; readonly saved: SavedMethod };
};

const isToken = (cvc: string): boolean => cvc.startsWith('cvctok_');

/**
 * Returns the stored card that a payer chose, with its customer, in the format that commands accept. Throws `payment_method_not_found` if
 * the link doesn't offer the card. Throws `validation_error` if the security code is plain text although Stripe collects it, or a token
 * although Stripe doesn't.
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
      ? 'Send the security code, not a token.'
      : 'Send the Stripe token for the security code.';
    throw validationError([{ field: 'savedMethod.cvc', message }]);
  }
  const { customerId } = card.method;
  const saved = { methodId: paymentMethodId, securityCode: cvc };
  return { customerId, command: { method: detailsOf(card.method), saved } };
}
