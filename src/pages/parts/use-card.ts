import { useRef, useState } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { acting } from '../data/late.ts';
import { Said } from '../data/service.ts';
import type { Due, StripeCard } from '../data/stripe.ts';
import { fieldElement, typed } from '../data/typed.ts';
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
  const isSaved = saved !== null && isWanted;
  return {
    saved,
    isSaved,
    isSandbox,
    /** Whether the card can be used here no more that could be when the page was opened. */
    hasLost: hadOne.current && saved === null,
    /** Chooses it, or another one, whose field gets the focus once it is shown. */
    chooseSaved: (isChosen: boolean): void => {
      setIsWanted(isChosen);
      setTimeout(() => fieldElement(isChosen ? 'cvc' : 'number')?.focus());
    },
    /** What is sent to the service; null where another card is meant. */
    readSaved: (): SavedInput | null =>
      isSaved ? { savedMethod: { paymentMethodId: saved.paymentMethodId, cvc: typed('cvc') } } : null,
  };
}

/** On a page that knows of no stored card. */
const noSavedCard: ReturnType<typeof useSavedCard> = {
  saved: null,
  isSaved: false,
  isSandbox: false,
  hasLost: false,
  chooseSaved: () => undefined,
  readSaved: () => null,
};

/** The card of a page: Stripe's fields and wallets where an account of the seller takes it, else the page's own fields. */
export function useCard(parts: CardParts, saved = noSavedCard) {
  const { words } = usePage();
  /** What Stripe shows by now, and what it is about to. */
  const opened = useRef<StripeCard | null>(null);
  const opening = useRef<Promise<StripeCard> | null>(null);
  return {
    ...parts,
    ...saved,
    opened,
    opening,
    /** How the payer means to pay, as the service wants it. Throws what Stripe says is wrong with it. */
    read: async (): Promise<CardInput> => {
      if (parts.publishableKey === null) return { card: (await acting()).typedCard() };
      // A wallet waits for its step at once.
      const card = opened.current ?? (await opening.current?.catch(() => null));
      if (card == null) throw new Said(words.cardFieldsMissing);
      return { paymentMethod: await card.method() };
    },
  };
}

export type Card = ReturnType<typeof useCard>;
