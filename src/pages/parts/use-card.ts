import { useRef } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import { acting } from '../data/late.ts';
import { Said } from '../data/service.ts';
import type { Due, StripeCard } from '../data/stripe.ts';
import type { typedCard } from '../data/typed-card.ts';
import type { Steps } from '../data/use-steps.ts';

/** How the payer means to pay, as the service wants it. */
export type CardInput = { readonly card: ReturnType<typeof typedCard> } | { readonly paymentMethod: string };

type CardParts = {
  /** The account of the seller at Stripe that takes the card; null where the page's own fields do. */
  readonly publishableKey: string | null;
  /** Whom the payer pays. */
  readonly seller: string;
  readonly due: Due;
  readonly steps: Pick<Steps, 'isDeclined' | 'markAll'>;
};

/** The card of a page: Stripe's fields and wallets where an account of the seller takes it, else the page's own fields. */
export function useCard(parts: CardParts) {
  const { words } = usePage();
  /** What Stripe shows by now, and what it is about to. */
  const opened = useRef<StripeCard | null>(null);
  const opening = useRef<Promise<StripeCard> | null>(null);
  return {
    ...parts,
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
