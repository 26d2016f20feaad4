import { useRef, useState } from 'preact/hooks';
import { acting } from '../data/late.ts';
import { Said } from '../data/service.ts';
import type { Due, StripeCard } from '../data/stripe.ts';
import type { StripeCode } from '../data/stripe-code.ts';
import { fieldElement } from '../data/typed.ts';
import type { typedCard } from '../data/typed-card.ts';
import type { Steps } from '../data/use-steps.ts';

/** How the payer means to pay, as the service wants it. */
export type CardInput = { readonly card: ReturnType<typeof typedCard> } | { readonly paymentMethod: string };

/** A stored card of the customer that the service offers to pay with. */
export type SavedMethod = {
  readonly paymentMethodId: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly codesLeft: number;
  /** The account at Stripe whose field takes the security code; null where the page's own does. */
  readonly publishableKey: string | null;
};

/** The stored card and its security code, as the service wants them. */
export type SavedInput = {
  readonly savedMethod: { readonly paymentMethodId: string; readonly cvc: string };
};

type CardParts = {
  /** The account of the seller at Stripe that takes the card; null where the page's own fields do. */
  readonly publishableKey: string | null;
  /** Whom the payer pays. */
  readonly seller: string;
  readonly due: Due;
  readonly steps: Pick<Steps, 'isDeclined' | 'markAll'>;
};

/** The stored card where there is one, and whether the payer means to pay with it. */
export function useSavedCard(saved: SavedMethod | null, isSandbox: boolean) {
  const [isWanted, setIsWanted] = useState(true);
  const hadOne = useRef(saved !== null);
  const openingCode = useRef<Promise<StripeCode> | null>(null);
  return {
    saved,
    isWanted,
    openingCode,
    isSandbox,
    /** Whether the card can be used here no more that could be when the page was opened. */
    hasLost: hadOne.current && saved === null,
    /** Chooses it, or another one, whose field gets the focus once it is shown. */
    chooseSaved: (isChosen: boolean): void => {
      setIsWanted(isChosen);
      const fallback = isChosen ? 'saved-card' : 'another-card';
      setTimeout(() =>
        (fieldElement(isChosen ? 'cvc' : 'number') ?? document.getElementById(fallback))?.focus(),
      );
    },
  };
}

/** On a page that knows of no stored card. */
const noSavedCard: ReturnType<typeof useSavedCard> = {
  saved: null,
  isWanted: false,
  openingCode: { current: null },
  isSandbox: false,
  hasLost: false,
  chooseSaved: () => undefined,
};

/** The card of a page: Stripe's fields and wallets where an account of the seller takes it, else the page's own fields. */
export function useCard(parts: CardParts, stored = noSavedCard) {
  const { publishableKey, due } = parts;
  // A price for another country may lead to another account, and Stripe checks a code with a payment only.
  const isUsable =
    stored.saved?.publishableKey === publishableKey && (publishableKey === null || due.amount > 0);
  const saved = isUsable ? stored.saved : null;
  const isSaved = saved !== null && stored.isWanted;

  /** What Stripe shows by now, and what it is about to. */
  const opened = useRef<StripeCard | null>(null);
  const opening = useRef<Promise<StripeCard> | null>(null);
  /** A card that is typed in, or a wallet. Throws what Stripe says is wrong with it. */
  async function readTyped(): Promise<CardInput> {
    if (publishableKey === null) return { card: (await acting()).typedCard() };
    // A wallet waits for its step at once.
    const card = opened.current ?? (await opening.current?.catch(() => null));
    if (card == null) throw new Said((await acting()).said.cardFieldsMissing);
    return { paymentMethod: await card.method() };
  }
  return {
    ...parts,
    ...stored,
    saved,
    isSaved,
    opened,
    opening,
    /** How the payer means to pay, as the service wants it. Throws what Stripe says is wrong with it. */
    read: async (): Promise<CardInput | SavedInput> =>
      isSaved ? (await acting()).savedCard(saved, stored.openingCode.current) : readTyped(),
    /** The same where no stored card is offered. */
    readTyped,
  };
}

export type Card = ReturnType<typeof useCard>;
