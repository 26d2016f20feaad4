import { useRef, useState } from 'preact/hooks';
import { fieldElement } from '../data/field-values.ts';
import { loadCode } from '../data/lazy-code.ts';
import { DisplayedError } from '../data/service.ts';
import type { StripeCard } from '../data/stripe.ts';
import type { StripeCode } from '../data/stripe-code.ts';
import type { Due } from '../data/stripe-terms.ts';
import type { typedCard } from '../data/typed-card.ts';
import type { PageActions } from '../data/use-page-actions.ts';

/** New card or wallet, as input for the service. */
export type CardInput = { readonly card: ReturnType<typeof typedCard> } | { readonly paymentMethod: string };

/** Saved card, as the service returns it. */
export type SavedMethod = {
  readonly paymentMethodId: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly codesLeft: number;
  /** Publishable key of the Stripe account whose field collects the security code. `null` selects the page's own field. */
  readonly publishableKey: string | null;
};

/** Saved card and its security code, as input for the service. */
export type SavedInput = {
  readonly savedMethod: { readonly paymentMethodId: string; readonly cvc: string };
};

type CardParts = {
  /** Publishable key of the Stripe account that charges the card. `null` selects the page's own fields. */
  readonly publishableKey: string | null;
  readonly seller: string;
  readonly due: Due;
  readonly steps: Pick<PageActions, 'isDeclined' | 'markAll'>;
};

/** Manages the saved card, and whether the customer pays with it. */
export function useSavedCard(saved: SavedMethod | null, isSandbox: boolean) {
  const [isActive, setIsWanted] = useState(true);
  const hadOne = useRef(saved !== null);
  const openingCode = useRef<Promise<StripeCode> | null>(null);
  return {
    saved,
    isActive,
    openingCode,
    isSandbox,
    /** True if the saved card was available when the page was opened, but is no longer available. */
    hasLost: hadOne.current && saved === null,
    /** Selects the saved card or another card, and focuses the card's field. */
    chooseSaved: (isChosen: boolean): void => {
      setIsWanted(isChosen);
      const fallback = isChosen ? 'saved-card' : 'another-card';
      setTimeout(() =>
        (fieldElement(isChosen ? 'cvc' : 'number') ?? document.getElementById(fallback))?.focus(),
      );
    },
  };
}

/** State for pages that don't offer a saved card. */
const noSavedCard: ReturnType<typeof useSavedCard> = {
  saved: null,
  isActive: false,
  openingCode: { current: null },
  isSandbox: false,
  hasLost: false,
  chooseSaved: () => undefined,
};

/** Manages a page's card fields: Stripe's fields and wallets if a connected Stripe account charges the card, otherwise the page's own fields. */
export function useCard(parts: CardParts, stored = noSavedCard) {
  const { publishableKey, due } = parts;
  // The price for another country can use another Stripe account, and Stripe verifies a security code only together with a payment.
  const isUsable =
    stored.saved?.publishableKey === publishableKey && (publishableKey === null || due.amount > 0);
  const saved = isUsable ? stored.saved : null;
  const isSaved = saved !== null && stored.isActive;

  /** Stripe's elements: the displayed elements, and the elements that are loading. */
  const opened = useRef<StripeCard | null>(null);
  const opening = useRef<Promise<StripeCard> | null>(null);
  /** Returns the entered card or the confirmed wallet. Throws Stripe's error. */
  async function readTyped(): Promise<CardInput> {
    if (publishableKey === null) return { card: (await loadCode()).typedCard() };
    // A confirmed wallet submits the form immediately.
    const card = opened.current ?? (await opening.current?.catch(() => null));
    if (card == null) throw new DisplayedError((await loadCode()).words.cardFieldsMissing);
    return { paymentMethod: await card.method() };
  }
  return {
    ...parts,
    ...stored,
    saved,
    isSaved,
    opened,
    opening,
    /** Returns the payment method as input for the service. Throws Stripe's error. */
    read: async (): Promise<CardInput | SavedInput> =>
      isSaved ? (await loadCode()).savedCard(saved, stored.openingCode.current) : readTyped(),
    /** Returns the payment method on pages that don't offer a saved card. */
    readTyped,
  };
}

export type Card = ReturnType<typeof useCard>;
